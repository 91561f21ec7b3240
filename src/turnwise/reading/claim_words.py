"""Small own lexicons for holding a claim against what was said: opposites, families of feeling, degrees, persons.

Written by hand for this project; not fitted and not copied from any word list. They are not a thesaurus: a pair that
is missing here is only known by its embedding, which lays opposites next to each other.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CORRECTS", "DEGREES", "FAMILIES_OF_FEELING", "HIGH_DEGREES", "IRREGULAR", "LOW_DEGREES", "NEGATES",
           "NUMBERS", "OPPOSITES", "PERSONS", "PHRASES", "PLEASANT", "PRAISES", "STOP", "TALKS"]  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATES = _words("""not never no nobody nothing none without hardly neither nor cannot nowhere isnt dont cant wasnt
didnt doesnt wouldnt couldnt havent hasnt hadnt wont arent werent aint
    stop stopped stopping quit refuse refused refuses refusing""")
CORRECTS = _words(
    "actually wait mean meant correction forgot wrong changed rather anymore since now lied exaggerated okay"
)
"""Words with which somebody takes back or mends what they said before."""
DEGREES: Mapping[str, str] = {
    "always": """always every constantly forever nonstop continually continuously daily nightly whenever endless
    endlessly
    permanently everyday perpetually round-the-clock""",
    "often": "often frequently usually regularly many lot lots plenty repeatedly mostly most",
    "seldom": "once twice sometimes occasionally rarely seldom few several couple hardly barely",
    "all": """all everything everyone everybody whole entire entirely completely totally wholly nobody none nothing
    never
    anything anyone any only altogether both""",
    "some": "some partly half part mostly almost nearly several few two",
    "very": """utterly absolutely extremely enormously terribly terrible deeply severe severely unbearable unbearably
    overwhelming really so incredibly hugely immensely desperately desperate beyond intensely profoundly badly huge
    massive awful horrible""",
    "extreme": """terrified devastated exhausted furious agony despair hopeless hate loathe obsessed ruined
    overwhelmed worst
    miserable shattered crushed hysterical panicked paralysed paralyzed monster worthless adore petrified overjoyed
    suicidal humiliated destroyed unbearable panic rage disgusted broken burnt wreck drowning collapsing dying
    killed""",
    "slightly": """bit little slightly somewhat mildly mild vaguely tiny minor fairly quite kind sort uneasy annoyed shy
    reluctant stiff off touch rather""",
    "time": "hours days weeks months years hour day week month year minutes minute ages decades decade",
}
"""Kinds of degree → words. What a claim says of how much, how often or how long must have been said as well."""
HIGH_DEGREES = ("always", "all", "very", "extreme")
LOW_DEGREES = ("seldom", "some", "slightly")
PHRASES: Mapping[str, str] = {
    "all the time": "always", "day and night": "always", "all day": "always", "around the clock": "always",
    "now and then": "seldom", "from time to time": "seldom", "once in a while": "seldom", "at all": "all",
    "a lot": "often", "any more": "all",
}  # fmt: skip

FAMILIES_OF_FEELING: Mapping[str, str] = {
    "fear": """afraid fear frightened scared terrified anxious anxiety nervous worried worry dread petrified panic
    panicky
    uneasy terror tension worries fearful shaking tense apprehensive terrify scare scary frightening shaky""",
    "anger": """angry anger furious fury mad rage raging resent resentful resentment annoyed irritated bitter cross
    livid
    enraged outraged seething frustrated frustration fuming pissed hostile""",
    "sadness": """sad sadness unhappy miserable down low grief grieving heartbroken tearful depressed gloomy sorrow cry
    cried crying tears weep wept mourn devastated crushed blue""",
    "shame": """ashamed shame embarrassed embarrassment humiliated humiliation mortified foolish stupid silly eejit
    disgusted
    disgust embarrassing self-conscious pathetic""",
    "guilt": "guilty guilt blame remorse sorry regret regretful fault traitor disloyal conscience responsible",
    "envy": "jealous envy envious jealousy envied",
    "lonely": "lonely loneliness alone isolated abandoned lonesome excluded invisible",
    "tired": "tired tiredness exhausted weary drained burnt burned worn fatigue fatigued knackered shattered sleepy",
    "empty": "empty numb numbness hollow emptiness flat blank wading nothing",
    "hopeless": "hopeless helpless despair desperate powerless trapped stuck useless worthless failure pointless",
    "hurt": "hurt hurts betrayed rejected wounded stung sting painful pain upset disappointed disappointment let "
    "offended",
    "relief": "relief relieved calm peaceful safe relaxed ease lighter soothed weight comfortable",
    "joy": "happy happiness joy glad delighted overjoyed pleased excited cheerful joyful thrilled enjoy content "
    "contented",
    "pride": "proud pride accomplished confident confidence respected",
    "love": "love loved loves adore fond affection cherish",
    "longing": "miss missed misses missing longing long yearn homesick",
    "boredom": "bored boring boredom dull drag",
    "confusion": "confused confusion torn unsure lost uncertain undecided ambivalent",
    "hate": "hate hates hated loathe detest despise disgust stand",
    "overwhelm": "overwhelmed overwhelm stressed stress pressure swamped overloaded",
}
PLEASANT = _words("relief joy pride love")
PRAISES = _words(
    """well perfectly perfect neatly brave bravely courage courageous strong strength wonderful wonderfully great
    excellent admirable admire impressive impressed remarkable extraordinary lovely generous clever smart wise sharp
    perceptive thoughtful insightful sensible talented gifted gift amazing brilliant fantastic splendid exactly
    instincts judgement straightforward capable resilient hero heroic beautifully"""
)
"""Words that praise somebody."""
TALKS = _words(
    """said asked told tell telling say saying seen see put noticed found got choosing quiet talking words question
    answer answered sentence describe described mentioned certain sure settled new own yourself here"""
)
"""Words for what somebody does in a talk."""

OPPOSITES: tuple[tuple[str, str], ...] = (
    (
        "happy glad joy good well fine better pleased enjoy delighted great",
        "sad bad unhappy worse awful terrible miserable",
    ),
    ("love like adore enjoy fond", "hate dislike loathe despise detest dread"),
    ("stay stayed keep kept remain continue continued", "leave left quit resign moved abandon abandoned"),
    ("start started begin began again resumed", "stop stopped quit finished end ended"),
    ("alive living", "dead died death die passed"),
    ("remember", "forget forgot"),
    ("accept accepted yes agree agreed took", "refuse refused decline declined reject rejected disagree"),
    ("strong stronger", "weak weaker"),
    ("kindly fondly warmly", "badly coldly nastily"),
    ("eat ate eaten eating", "starve starved skip skipped fasting"),
    ("home indoors inside", "outside outdoors drove travelled"),
    ("for favour supports supported", "against opposed opposes"),
    ("more grew grown increased worse", "less fewer decreased better improved"),
    ("plenty lots enough", "none lacking short"),
    ("proud pride", "ashamed shame embarrassed guilty"),
    ("calm relaxed peaceful fine easy", "anxious scared afraid frightened nervous panic terrified worried"),
    ("win won pass passed succeed", "lose lost fail failed"),
    ("married marry", "divorced single separated divorce"),
    ("sober clean", "drinking drunk drink using relapsed"),
    ("open told tell say said talk shared confided", "hide hid hidden secret silent keep kept quiet"),
    ("public", "private secret"),
    ("buy bought", "sell sold"),
    ("kind gentle nice good warm", "cruel unkind harsh cold mean nasty"),
    ("loud shout shouted yelled screamed", "quiet silent silence whispered calm"),
    ("hard difficult", "easy simple"),
    ("safe", "unsafe danger dangerous scared"),
    ("alone single", "together company everyone"),
    ("sure certain", "unsure doubt torn undecided"),
    ("want wanted wants wish hope hoping eager", "dread refuse reluctant unwilling against"),
    ("awake up", "asleep sleep slept"),
    ("trust trusted believe", "distrust doubt suspect"),
    ("young younger", "old older"),
    ("brave", "scared cowardly coward"),
    ("helped help helps helping supported", "hindered useless ignored refused"),
    ("healthy recovered well", "ill sick unwell"),
    ("employed job work working hired", "unemployed fired redundant jobless"),
    ("same", "different another changed"),
    ("always every constantly", "never rarely seldom once sometimes occasionally"),
    ("everyone everybody all", "nobody none"),
    ("loves loved", "hated"),
    ("older elder oldest eldest", "younger youngest"),
    ("rich", "poor broke debt"),
    ("relieved relief glad", "upset disappointed sorry regret hurt"),
    ("excited looking forward eager", "dread dreading"),
)
"""Two poles each; a word may stand in several."""

PERSONS: Mapping[str, str] = {
    "mother": "f mum mom mother mam mummy mama mums",
    "father": "m dad father da daddy papa pa",
    "sister": "f sister sis",
    "brother": "m brother bro",
    "wife": "f wife missus",
    "husband": "m husband hubby",
    "partner": "n partner spouse boyfriend girlfriend fiance fiancee ex",
    "son": "m son lad boy",
    "daughter": "f daughter girl",
    "child": "p child kid toddler baby little",
    "children": "p children kids grandkids grandchildren",
    "grandmother": "f gran nan grandmother grandma granny nana",
    "grandfather": "m grandad grandfather grandpa granddad",
    "aunt": "f aunt auntie",
    "uncle": "m uncle",
    "cousin": "n cousin nephew niece",
    "boss": "n boss manager supervisor",
    "friend": "n friend mate best",
    "friends": "p friends mates",
    "neighbour": "n neighbour neighbor",
    "flatmate": "n flatmate roommate housemate",
    "colleague": "n colleague coworker",
    "colleagues": "p colleagues coworkers team",
    "doctor": "n doctor gp psychiatrist consultant",
    "therapist": "n therapist counsellor counselor",
    "teacher": "n teacher tutor",
    "parents": "p parents",
    "family": "p family relatives",
    "stepmother": "f step-mum stepmum stepmother step-mother stepmom",
    "stepfather": "m stepdad stepfather",
    "girls": "p girls classmates boys",
    "people": "p people everyone everybody nobody others anyone",
    "man": "m man bloke guy fellow",
    "woman": "f woman lady",
    "sponsor": "n sponsor nurse",
}
"""Person → gender (f, m, n for either, p for several) and the words for them."""

NUMBERS: Mapping[str, int] = {
    **{w: i for i, w in enumerate("""zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen
       fifteen sixteen seventeen eighteen nineteen twenty""".split())},
    **{w: i for i, w in enumerate("thirty forty fifty sixty seventy eighty ninety hundred thousand".split(), 21)},
    **{w: i for i, w in enumerate(("once", "twice"), 31)},
}  # fmt: skip
"""Number words → a place of their own."""

STOP = _words(
    """the a an and or but of to in on at for with by from as is are was were be been being am do does did have has had
    having that this these those it its i you he she they we me him her them us my your his their our mine yours myself
    yourself himself herself themselves will would can could should shall may might must so than then there here just
    also too very really about into over if when while because though although what which who whom how why where up
    out not no don't n't get got gets getting go going s t m re ve d ll yes yeah oh well um like some any much many
    more most one own even still yet only same such else both each other another thing things something way lot kind
    sort bit make makes made let sounds sound seems seem seemed right sure okay mean know think said say says tell told
    feel feels felt feeling feelings"""
)
"""Words that carry no content of their own here; a claim of nothing else is held against all words."""
IRREGULAR: Mapping[str, str] = dict(
    pair.split(":")
    for pair in """went:go gone:go goes:go left:leave leaving:leave lost:lose slept:sleep kept:keep told:tell said:say
    felt:feel thought:think took:take taken:take came:come ate:eat eaten:eat drank:drink drunk:drink drove:drive
    driven:drive rang:ring rung:ring ran:run began:begin begun:begin bought:buy brought:bring built:build caught:catch
    chose:choose chosen:choose died:die dead:die death:die dying:die fell:fall fallen:fall fought:fight found:find
    forgot:forget gave:give given:give grew:grow heard:hear hid:hide hidden:hide held:hold hurt:hurt knew:know
    known:know
    led:lead lay:lie lying:lie made:make meant:mean met:meet paid:pay read:read rode:ride sang:sing sat:sit saw:see
    seen:see sold:sell sent:send shook:shake spoke:speak spoken:speak spent:spend stood:stand stole:steal swam:swim
    swimming:swim swore:swear sworn:swear taught:teach threw:throw thrown:throw understood:understand woke:wake
    woken:wake
    wore:wear won:win wrote:write written:write broke:break broken:break cried:cry cries:cry crying:cry tried:try
    married:marry worried:worry hit:hit put:put quit:quit let:let shut:shut stopped:stop stopping:stop planned:plan
    children:child kids:child kid:child mum:mother mom:mother mam:mother dad:father da:father scared:afraid
    frightened:afraid fear:afraid terrified:afraid got:get phoned:call phone:call rang:call ring:call ringing:call
    called:call messaged:text moved:move moving:move gran:grandmother nan:grandmother lads:lad men:man women:woman
    loved:love loving:love hated:hate used:use using:use died:die better:good worse:bad best:good worst:bad
    bosses:boss funeral:funeral lonely:lonely alone:lonely job:work works:work worked:work working:work""".split()
)
"""Forms that a rule of endings would not bring together."""
