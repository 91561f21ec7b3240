"""The forms in which a judgement is told: of oneself, of the others, of what others think, of what will come.

Nets of general English. Each asks for the judging words themselves ("useless", "not good enough", "nobody cares"), and
not only for the frame they stand in: "I'm not a big talker" has the frame of a verdict and is none.
"""

from __future__ import annotations

import re

__all__ = ["FORMS", "LOW", "NO_JUDGEMENT"]

_LOW_NOUN = (
    r"(?:burden|weight|failure|fraud|fake|phoney|liar|joke|nuisance|bother|coward|waste(?: of (?:space|time|air))?|"
    r"mess|disappointment|disgrace|monster|loser|moron|prat|clown|oaf|slob|pig|hypocrite|liability|traitor|"
    r"(?:walking )?disaster|reject|has-been|nobody|"
    r"mediocrity|idiot|fool|freak|imposter|impostor|parasite|quitter|no-show|drain|"
    r"problem|hindrance|embarrassment|let-?down|spare part|outsider|misfit|dead (?:weight|loss)|lost cause|"
    r"hopeless case|bad (?:person|man|woman|mother|mum|mom|father|dad|parent|wife|husband|partner|son|daughter|sister|"
    r"brother|friend|nurse|teacher|doctor|boss))"
)
_LOW = (
    r"(?:useless|worthless|hopeless|pathetic|stupid|thick|dumb|weak|lazy|broken|damaged|ugly|disgusting|unlovable|"
    r"selfish|evil|inadequate|inferior|incompetent|unwanted|mediocre|scum|trash|damaged goods|crazy|mad|"
    r"losing my (?:mind|grip)|past it|finished)"
)
"""What somebody calls themselves, or fears to be called, and could be seen otherwise."""
_ROLE = (
    r"(?:mother|mum|mom|father|dad|parent|wife|husband|partner|son|daughter|sister|brother|friend|man|woman|person|"
    r"human being|christian|muslim|jew|nurse|teacher|doctor|worker|student)"
)
_ANYBODY = r"(?:anyone|anybody|everyone|everybody|them|him|her|people|us|my \w+)"
_END = rf"(?:\W*$|[,;]| and\b| as an? | compared\b| (?:to|for) {_ANYBODY}\b)"
_I_AM = (
    r"^i(?:'m| am| was|'ve (?:always |just )?been|'ll (?:always|never|only) be|'d (?:always |only )?be)"
    r"(?: (?:just|only|kind of|sort of|basically|always|never|nothing but|really|simply|probably|completely|totally|"
    r"obviously|clearly|such|so|a bit of|pretty much|still))*"
)
_VERDICT = re.compile(
    # a name for oneself
    rf"{_I_AM} (?:a|an|the|one more|such a|some kind of)? ?(?:\w+ )?{_LOW_NOUN}\b|{_I_AM} {_LOW}{_END}|"
    rf"^i (?:just |always |still )?feel (?:like|as if|that) (?:a|an|the|i'm|i am|i'm an?|i am an?)? ?(?:\w+ )?"
    rf"(?:{_LOW_NOUN}|{_LOW})\b|"
    # what one is not, or too much, or no more than
    rf"{_I_AM} not (?:(?:good|clever|strong|pretty|thin|smart|brave|interesting|kind|man|woman|mother) enough|worth\b|"
    r"cut out\b|lovable|likeable|normal\b|wanted\b|needed\b|fit (?:for|to)\b|important\b|any (?:good|use)\b|up to "
    r"(?:it|this|the)\b|like (?:other people|normal people|everybody|everyone|the others|the rest)|"
    rf"(?:(?:a|any kind of|a very) (?:good|real|proper|decent|fit|normal)|much of an?) {_ROLE}\b)|"
    rf"{_I_AM} too (?:much|old|stupid|weak|slow|soft|needy|sensitive|difficult|damaged|broken|far gone|dull|boring|"
    rf"selfish|lazy|ugly|fat)(?:{_END}| to (?:change|start|learn|matter|be (?:loved|helped|any)))|"
    rf"{_I_AM} no (?:(?:use|good|help|loss)(?:\W*$|,| at (?:all|anything|being|life|this)| (?:to|for) {_ANYBODY})|"
    rf"{_ROLE}\b)|{_I_AM} (?:(?:nobody|worth nothing|nothing)(?:{_END}| without| to (?!do\b))|to blame|in the way|"
    r"the odd one out|one more \w+ (?:for|to|on)\b|(?:a|an) \w+ (?:on paper|in name)\b|the only (?:one|person)\b.*"
    r"\b(?:n't|never|not|without)\b)|"
    r"^i(?:'m| am)(?: just| only| nothing but| never more than)+ (?:a|an|another|some) (?:number|body|face|case|name|"
    r"job|file|machine|pair of hands|cog|wallet|servant|lodger|shadow|ghost)\b|"
    r"^i (?:came out|was born|was made|turned out|am made|am built) wrong\b|"
    r"^i don't (?:deserve\b|(?:matter|count|belong|fit in|exist)(?:\W*$|,| (?:here|there|anywhere|to (?:anyone|anybody|"
    r"them|him|her))))",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"^(?:i|one) (?:just |always |really )?(?:must(?:n't)?|should(?:n't)?|ought to|have(?: got)? to|'ve (?:got )?to|"
    r"can't|cannot) (?:always|never|not )?(?:be (?:able|over it|past it|perfect|strong|grateful|happy|coping|"
    r"better than|"
    r"there for|in control|the (?:one|best|strong)|good|nice|careful|useful|needed|liked|a (?:good|better|real|"
    r"proper))|"
    r"(?:let (?!it\b|that\b)|show|need|ask for help|make (?:a |any )?mistakes?|fail|lose control|disappoint|depend|"
    r"rely|cry|"
    r"complain|break down|give in|get it wrong|put anyone)\b)|"
    r"^(?:i|one) (?:must|should|ought to|have to)(?: always| never) \w+|"
    r"^i can't afford (?:to (?:be|fail|stop|lose|make|show|let|feel|trust|rest)|mistakes?|a mistake)\b|"
    r"^an? (?:\w+ )?(?:\w+ )?(?:must|should|ought to|has to|mustn't|shouldn't|doesn't|does not|"
    r"does better)\b(?! (?:have|know|see|hear|tell|ring|phone|come|look|take \w+ minutes)\b)|"
    r"^i(?:'ve| have) no right to\b",
    re.IGNORECASE,
)
_IF_THEN = re.compile(
    r"^(?:if|unless|once|the (?:day|moment|minute)|as soon as|without|when) .{2,60}?[, ]+(?:then )?(?:"
    r"i(?:'m|'d be|'ll be| am| will be| would be) (?:just |only |back to )?(?:nobody|nothing|finished|lost|useless|"
    r"over|gone|"
    r"done for|alone|sunk|worthless|no \w+|a (?:failure|burden|fraud|bad \w+|nobody)|just what|dead weight)\b|"
    r"(?:everything|nothing|nobody|no one|everybody|everyone|it all|it|that|the (?:whole )?\w+)(?:'s|'ll|'d| will|"
    r" would)? "
    r"(?:just |all |ever )*(?:falls? apart|falls? down|goes wrong|go wrong|collapses?|stops?\b|runs?\b|comes?\b|"
    r"needs? me|"
    r"wants? me|loves? me|likes? me|miss(?:es)? me|care|helps?\b|hold\b|doesn't (?:run|work|get done|hold|happen)|"
    r"won't (?:run|work|get done|hold|happen)|(?:is|be) (?:over|my fault|lost|ruined|gone|for nothing|all over)|over\b|"
    r"my fault|means? (?:i|that i|he|she|they|nobody|it's)\b)|"
    rf"(?:they|he|she|people|{_ANYBODY})(?:'ll|'d| will| would| are going to|'re going to| is going to)(?: all| only| "
    r"just| never)* (?:leave(?: me)?\W*$|leave me|laugh|hate|despise|reject|look down|be (?:better off|ashamed|"
    r"disappointed|all right|alive|fed up|sick of)|go (?:mad|off me|away)|see (?:through|what i|who i|that i|how)|know "
    r"(?:what i|who i|that i|i'm)|think (?:i'm|less|badly|the worst)|find out|stop (?:loving|liking|wanting|needing|"
    r"coming)|love me|want me|need me|trust me|lose|drop me|turn away))",
    re.IGNORECASE,
)
_SWEEPING = re.compile(
    # all the others, as against me
    r"^(?:everyone|everybody|all the others|the others|all of them|other people) (?:else )?(?:always |all |just |can |"
    r"could |has |have |got |gets? |was |were |is |are |seems? to |knows? |finds? )*(?:manage\w*|cope\w*|copes?|how\b|"
    r"without\b|it easy|given\b|taught\b|told how|born\b|shown\b|it right|what to|normal\b|better than|happier|"
    r"do(?:es)? it|on with (?:it|life)|a life\b|somebody\b|friends\b)|"
    rf"^every (?:other|single) (?:{_ROLE}|\w+(?:er|or|ist|man|woman))\b.*\b(?:gets?|can|knows?|manages?|copes?|loves?|"
    r"finds?|feels?|has|does) |"
    # what nobody does, and everybody does to me
    r"^(?:nobody|no one|not one of them|none of them) (?:really |ever |here |actually |would (?:ever |even )?|"
    r"will (?:ever )?|"
    r"could (?:ever )?|can (?:ever )?)*(?:cares?\b|needs? me|wants? me|likes? me|loves? me|love me|misses me|miss me|"
    r"notices? (?:me|if i)|notice (?:if|whether)|listens?(?: to me)?\W*$|understands?(?: me)?\W*$|believes? me|"
    r"believe me|"
    r"sees? me|respects? me|takes? me seriously|stays?\b(?! (?:late|long|over))|comes? to me|helps? me|can be trusted|"
    r"be trusted|wants? to (?:know|hear|be) )|"
    r"^(?:everyone|everybody|people|they(?: all)?|men|women) (?:always |all |only |just |sooner or later |"
    r"in the end |end "
    r"up )*(?:leave(?:s)?(?: me)?\W*$|leave(?:s)? me|let(?:s)? me down|lie\W*$|lies\W*$|hates? me|use(?:s)? me|goes "
    r"behind|laugh(?:s)? at me|looks? down|turns? (?:on|against) me|wants? something (?:from|off) me)|"
    # all of it, for ever
    r"^nothing(?:'s|'ll| is| will| ever| i (?:do|say|try|make))+ (?:ever |just |only )*(?:an?\b|chance|safe|certain|"
    r"good "
    r"enough|enough|change|changes|help|helps|work out|works out|works?\W*$|lasts?|get(?:s)? better|goes right|"
    r"(?:is |are )?(?:ever )?right|comes? of|matters?|makes? (?:a|any) difference)\b|"
    r"^(?:it|this|things|nothing)(?:'ll| will|'s going to| is going to) (?:never|always|not ever)(?: be| get| come)* "
    r"(?:(?:any )?better|like (?:this|that)|different|over|the same|right|all right|enough|change|end\b|go away|"
    r"work out|"
    r"last\b)|^it (?:never|always) (?:gets (?:any )?better|lasts|changes|works out|goes wrong|ends (?:badly|like|the "
    r"same))",
    re.IGNORECASE,
)
_EQUATES = re.compile(
    r"^(?:an?|the|it|that|this|my) .*(?:\b(?:is|are)\b|'s\b).*\bor (?:it(?:'s| is| isn't) ?|he(?:'s| is)?|she(?:'s|"
    r" is)?)?"
    r"(?:not|nothing|wrong|n't|isn't)\W*$|^the one (?:who|that) \w+s?\b.*\bis (?:the one|always|never|to|left)\b|"
    r"\b(?:which|that|this|it) (?:just |only )?means (?:that )?(?:i(?:'m|'ve|'ll)?|nobody|they don't|he doesn't|she "
    r"doesn't|they want|he wants|she wants)\b|^that's all i(?:'m| am| ever)\b|"
    r"^this is (?:all there is|as good as it gets|how it(?:'ll| will) (?:always )?(?:be|stay))\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    rf"^i (?:can't|cannot|can never|could never) (?:do (?:anything(?: right)?|this|it)(?: any ?more| alone|"
    rf" on my own)?\W*$|"
    rf"do anything right|cope(?:\W*$| with (?:anything|this|it|life)| any ?more| on my own)|trust (?:{_ANYBODY}|myself|"
    r"men|women|my own)\b|be (?:loved|trusted|helped|fixed|forgiven|happy|seen|weak|a (?:proper|real|good)|what)|"
    rf"let {_ANYBODY} (?:down|see|know|in|near|close)|let myself|show (?:it|them|{_ANYBODY}|that i|how i|weakness)|"
    rf"say no\b|"
    r"get (?:it|this|anything|things) right|do right|keep (?:anyone|anybody|a (?:job|friend|man|woman|relationship)|"
    r"(?:it|this) up)|finish anything|ever (?:be|get|do|have)\b|make (?:it|this|anyone) (?:right|happy))|"
    rf"^i(?:'ve| have|'ll| will)?(?: just| only)? (?:always|never) (?:ruin|spoil|fail(?:\W*$| at)|mess (?:it|things|"
    rf"everything) "
    rf"up|let {_ANYBODY} down|get (?:it|things|anything|everything) (?:right|wrong)|do (?:it|things|anything) (?:right|"
    r"wrong)|finish (?:anything|what)|say the wrong|end up (?:alone|hurt|failing|on my own|the)|make (?:it|things|"
    r"everything) worse|pick the wrong|manage anything|fit in|belong)|"
    r"^i(?:'ll| will|'m going to| am going to) (?:just |only )?(?:fail|freeze|be the (?:odd one|one who)|"
    r"make a fool)\b|"
    r"^i(?:'ll not| won't| will not) (?:get (?:it|in|the job|a place)|pass|make it|cope|manage|fit in)(?:\W*$|,)|"
    r"^(?:nobody|no one) (?:will|is going to) (?:talk to me|come|want me|like me|believe me)\b|"
    r"^i(?:'ll| will) never (?:be (?:able|any|free|happy|well|good|loved|a |like|more|enough|the same)|get (?:over|"
    r"better|"
    r"well|out|past|it right|anywhere|rid)|find (?:anyone|anybody|somebody|someone|another|my way)|have (?:a|any|"
    r"children|kids|what|friends)|change\b|amount|learn\b|cope|manage|finish|make it)|"
    r"^i(?:'ve| have)?(?: just| always| only| never)* (?:let|ruin|spoil|fail|wreck|disappoint|waste|mess|destroy|"
    r"hurt|drag|"
    r"drive)(?:s|ed|t)? (?:everyone|everybody|everything|people|them all|it all|my (?:whole )?(?:life|family|"
    r"children|kids|"
    r"parents)|anyone who)\b|"
    r"^i (?:should|could|ought to)(?:'ve| have) (?:known\b|seen it|noticed|stopped (?:it|him|her|them)|been (?:there|"
    r"with "
    r"(?:him|her|them))|saved|prevented|done (?:more|something)|said something|tried harder|listened)|"
    r"^(?:there's|there is)(?: just| simply)? (?:something wrong with me\b|nothing (?:left|good|worth\w*) (?:in|"
    r"about|of) me\b|"
    r"no (?:point (?:in|to) me\b|way (?:out|back)\b|hope\b|future\b))|^something(?:'s| is) wrong with me\b|"
    r"^it(?:'s| is| was)(?: all| only)? my (?:own )?(?:fault|doing)\b|^it(?:'s| is) (?:hopeless|too late for (?:me|"
    r"any|all))",
    re.IGNORECASE,
)
_MIND_READ = re.compile(
    rf"^(?:he|she|they|people|everybody|everyone|the others?|the \w+|my \w+)(?:'d|'ll|'re|'s| would| will| must| can|"
    rf" are| "
    r"is| may| might| all| both| only| just| probably| secretly| really| already)* (?:be )?(?:"
    r"(?:ashamed of|disappointed in|better off without|fed up (?:with|of)|sick of|laugh(?:s|ing)? at|tired of|"
    r"hat(?:e|es|"
    r"ing)|despis(?:e|es)|look(?:s|ing)? down on|pit(?:y|ies)|blam(?:e|es|ing)|judg(?:e|es|ing)|talk(?:s|ing)? about|"
    r"watch(?:es|ing)|put(?:s|ting)? up with|putting|get rid of|wants? rid of|(?:don't|doesn't) (?:want|need|like|love|"
    r"respect|believe|trust)|see(?:s)? through|going to (?:leave|drop)) me\b|"
    r"think(?:s|ing)? (?:less|badly|the worst) of me\b|found me out\b|"
    rf"(?:think|see|know|tell|notice|say|hear|find out|realise|realize)s?(?: that)? (?:i'm|i am|i was|my \w+(?:'s|"
    rf" is)|i'm "
    rf"going) ?(?:(?:an?|the|just|only|really|not|such) )*(?:\w+ )?(?:{_LOW_NOUN}|{_LOW}|going\b|failing|slipping|"
    rf"lying|"
    r"faking|pretending|good enough|coping|drunk|mad|ill\b|odd|strange|weird))",
    re.IGNORECASE,
)
"""What others must be thinking, as told by whoever fears it."""
FORMS = (
    (_MIND_READ, 3.0),
    (_VERDICT, 3.0),
    (_RULE, 3.0),
    (_IF_THEN, 3.0),
    (_CANNOT, 3.0),
    (_EQUATES, 2.0),
    (_SWEEPING, 2.0),
)
"""The nets, and how much each is worth (``target_thoughts.likeness``)."""
LOW = re.compile(
    rf"\b(?:{_LOW_NOUN}|{_LOW}|one more|to blame|fault|wrong|not (?:enough|good|real|a real)|nothing|on paper)\b",
    re.IGNORECASE,
)
"""Words in which somebody is put down."""
NO_JUDGEMENT = re.compile(
    # a story, a report, or said to the listener
    r"\b(?:told|said|says|asked|went to|came to|bought|drove|talked|wrote|fell asleep|today|yesterday|tomorrow|tonight|"
    r"last (?:week|night|month)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|\byou(?:r|'\w+)?\b|[\"“”]|"
    r"(?-i:'[A-Z])|"
    r"^i(?:'ve| have)? never (?:been|seen|had|met|thought|told|asked|said)\b|\bevery time\b|"
    # a wish, a courtesy, a sentence about the talk
    r"\bi(?:'d| would) (?:like|want|tell|ask|rather|sooner)\b|^i want\b|\b(?:rather|sooner) not\b|\bexcuse me\b|"
    r"^(?:nothing|nobody|no one) (?:broken|hurt|missing|stolen|else|new|special|major|serious)$|"
    r"^(?:and |so |but )?that(?:'s| is| was) what\b|"
    r"^it(?:'s| is) not important\b|^i(?:'m| am) not (?:being|asking|saying|trying|going)\b|\bnever mind\b|"
    r"^i (?:should|would) (?:like|have to|say|think)\b|"
    # what is only wondered, or is over
    r"\b(?:maybe|perhaps|might|wonder|whether)\b|\bused to\b|\bno longer\b|\bnot any ?more\b|\bi don't (?:think|"
    r"believe|feel)\b|\bnot that\b",
    re.IGNORECASE,
)
