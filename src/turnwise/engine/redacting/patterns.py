"""What can be found by its form: addresses of all sorts, numbers, dates, ages. Every repetition has a bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from turnwise.engine.redacting.spans import Kind, Span

__all__ = ["age_after", "by_form"]

_I = re.IGNORECASE
_TLD = r"(?:com|org|net|edu|gov|info|co\.uk|org\.uk|ac\.uk|nhs\.uk|uk|io|de|fr|es|it|nl|ca|au|ie|eu|ch|example|test)"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?"
)
_SURE_MONTH = r"(?:january|february|april|june|july|august|september|october|november|december|feb|aug|sept|oct|nov)\b"
_YEAR = r"(?:19[2-9]\d|20[0-4]\d)"
_UNIT = "one two three four five six seven eight nine".split()
_TEEN = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TEN = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDED = rf"(?:(?:{'|'.join(_TEN)})(?:[ -](?:{'|'.join(_UNIT)}))?|{'|'.join(_TEEN)}|{'|'.join(_UNIT)})"
_GROWN = rf"(?:(?:{'|'.join(_TEN)})(?:[ -](?:{'|'.join(_UNIT)}))?|{'|'.join(_TEEN[3:])})"
_NUM = rf"(?:\d{{1,3}}|{_WORDED})(?![\w%£$€]|[.:/]\d|-\d)"
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth"
    r"|fourteenth|fifteenth"
    r"|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|(?:twenty|thirty)[ -](?:first"
    r"|second|third|fourth"
    r"|fifth|sixth|seventh|eighth|ninth))"
)
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})"
_PART = (
    r"(?:(?:the )?(?:start|beginning|middle|end|(?:first|second|third|last) week|first half|second"
    r" half) of |early |mid[ -]|late )"
)
_STOP = (
    r"(?=\s*(?:[,.;:!?)\]\"”—–-]|$|(?:and|but|or|when|now|then|so|at|with|if|because|already|last"
    r"|next|this|btw|lol|in)\b))"
)
_STREET = (
    r"(?:street|road|rd|avenue|ave|lane|ln|crescent|grove|terrace|gardens|mews|boulevard|blvd|parkway"
    r"|highway|stra(?:ss|ß)e)"
)
_STREET_IF_BIG = r"(?:Way|Drive|Close|Court|Square|Row|Walk|Hill|Place|St|Rise|Quay|Alley)"
_NUMBERED = (
    r"(?:nhs|insurance|policy|record|records|case|reference|ref|member|membership|passport|licen[cs]e|account|patient"
    r"|hospital|file|claim|student|employee|staff|badge|booking|mrn|ssn|social security|national"
    r" insurance|ni|tax|vat|iban"
    r"|sort code|card|medicare|medicaid|prisoner|inmate|registration|id|docket|plate|reg)"
)
_CODE = (
    r"(?:(?-i:[A-Z]{1,4})[ -]?)?[A-Za-z]{0,3}\d[\w/.-]{0,30}(?:[ -](?:\d[\w/-]{0,12}|[A-Z]\d?)(?!\w)){0,8}(?<![.,-])"
)

_FORMS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("EMAIL", re.compile(r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")),
    (
        "EMAIL",
        re.compile(
            r"\b[\w.+-]{2,40}(?: (?:dot|underscore|dash|hyphen) [\w-]{1,30}){0,4} (?:at|@|\(at\)) [\w-]{2,30}(?:"
            r" dot [\w-]{2,20}){1,3}\b",
            _I,
        ),
    ),
    ("URL", re.compile(r"\b(?:https?://|www\.)[^\s<>\"]{1,300}(?<![.,;:!?)\]'])", _I)),
    ("URL", re.compile(rf"(?<![\w@.])(?:[\w-]{{2,63}}\.){{1,4}}{_TLD}\b(?:/[^\s<>\"]{{0,200}}(?<![.,;:!?)\]']))?", _I)),
    ("URL", re.compile(r"\b[\w-]{2,40}(?: dot [\w-]{2,30}){0,2} dot (?:com|org|net|co dot uk)\b", _I)),
    ("HANDLE", re.compile(r"(?<![\w@.])@\w[\w.]{1,39}(?<!\.)")),
    ("HANDLE", re.compile(r"(?<![\w/])[ur]/[\w-]{3,30}")),
    (
        "HANDLE",
        re.compile(
            r"\b(?:insta|instagram|snap|snapchat|discord|twitter|tiktok|username|user name|gamertag|reddit"
            r"|handle|steam)"
            r"(?: (?:name|handle|account))?(?: is|:|'s) (?P<it>(?=\S*[\d_.])[\w.#-]{3,40}(?<!\.))",
            _I,
        ),
    ),
    # --- numbers that somebody is filed under ---
    ("ID", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")),
    ("ID", re.compile(r"\b\d{3}[- ]\d{2}[- ]\d{4}\b")),
    ("ID", re.compile(r"\b[A-Za-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-Da-d]\b")),
    (
        "ID",
        re.compile(
            r"(?<![\w.])(?=[\w/-]{0,40}[A-Z])"
            r"(?=(?:[\w/-]{0,20}\d){3})[A-Z0-9]{1,12}(?:[/-][A-Z0-9]{1,12}){0,4}(?!\w)"
        ),
    ),
    (
        "ID",
        re.compile(
            rf"\b{_NUMBERED}\b(?: (?:number|numbers|no\.?|num|id|ref|code|card|plate))?[^.!?\n\d]{{0,40}}?[ #:]"
            rf"(?P<it>(?=(?:[\w/ .-]{{0,5}}\d){{3}}){_CODE})",
            _I,
        ),
    ),
    ("ID", re.compile(r"\b[A-Z]{2}\d{2} ?[A-Z]{3}\b")),
    (
        "ID",
        re.compile(r"\b(?:plate|reg|registration)(?: number)?(?: is|'s|:)? (?P<it>[a-z]{2}\d{2} ?[a-z]{3})\b", _I),
    ),
    # --- names letter by letter; the same letter again is a stutter ---
    ("NAME", re.compile(r"(?<![\w'’-])(?!([a-z])(?:-\1)+(?![\w-]))[a-z](?:-[a-z]){3,30}(?![\w'’-])", _I)),
    ("NAME", re.compile(r"(?<![\w'’-])[A-Z](?:[ .,]{1,2}[A-Z]){3,30}(?![\w'’-])")),
    # --- where somebody lives ---
    ("ADDRESS", re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b", _I)),
    ("ADDRESS", re.compile(r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b")),
    (
        "ADDRESS",
        re.compile(
            r"\b(?:zip|zip code|zipcode|postcode|postal code|plz)\b(?: is|:|'s)? (?P<it>\d{4,6}(?:-\d{4})?)\b", _I
        ),
    ),
    ("ADDRESS", re.compile(r"\b\d{5} [A-ZÄÖÜ][a-zäöüß]{2,20}\b")),
    (
        "ADDRESS",
        re.compile(r"\b(?:flat|apt|apartment|unit|suite|p\.?o\.? box|room)\.? (?:no\.? )?(?=\w{0,3}\d)\w{1,6}\b", _I),
    ),
    (
        "ADDRESS",
        re.compile(
            rf"\b\d{{1,5}}[a-z]?,? (?:[\w'’.-]{{2,25}} ){{1,3}}(?:{_STREET}|way|drive|close|court|square"
            rf"|row|walk|hill|place|st|rise|quay)\b\.?",
            _I,
        ),
    ),
    (
        "ADDRESS",
        re.compile(rf"\b(?:[A-Z][\w'’-]{{1,25}} ){{1,3}}(?:(?i:{_STREET})|{_STREET_IF_BIG})\b"),
    ),
    (
        "ADDRESS",
        re.compile(
            r"\b(?:live|lives|lived|living|moved|house|flat|home|place|shop|round|over) (?:on|at|in|to|off|near) "
            rf"(?P<it>(?!(?:the|my|a|our|this|that)\b)(?:[\w'’-]{{2,25}} ){{1,2}}(?:{_STREET}|way|drive|close"
            rf"|court|square))\b",
            _I,
        ),
    ),
    (
        "ADDRESS",
        re.compile(
            r"\b(?:\d{1,5}[a-z]?,? )?(?i:rue|via|calle|avenida|ulica|rua) "
            r"(?:(?:de|du|la|le|les|des|del|della|dos) |[dl]['’]){0,3}[A-Z][\w'’-]{2,25}\b"
        ),
    ),
    # --- when ---
    ("DATE", re.compile(r"(?<![\d/.-])\d{1,2}(?P<sep>[/.-])\d{1,2}(?P=sep)(?:\d{4}|\d{2})(?![\d/-])")),
    ("DATE", re.compile(r"(?<![\d/.-])\d{4}(?P<sep>[/.-])\d{1,2}(?P=sep)\d{1,2}(?![\d/-])")),
    (
        "DATE",
        re.compile(
            r"\b(?:on|was|born|since|until|by|from|date|dob:?) (?P<it>(?!24/7|50/50)[0-3]?\d/[0-3]?\d)(?![\d/])", _I
        ),
    ),
    ("DATE", re.compile(rf"\b(?:the )?{_DAY}(?: day)?(?: of)?,? {_MONTH}(?:,? (?:of )?{_YEAR})?(?!\w)", _I)),
    (
        "DATE",
        re.compile(
            rf"\b{_MONTH} (?:the )?{_DAY}\b(?! (?:years?|months?|weeks?|days?|times|hours?|minutes?)\b)(?:,?"
            rf" {_YEAR})?\b",
            _I,
        ),
    ),
    ("DATE", re.compile(rf"\b{_PART}?{_MONTH},? (?:of |in )?{_YEAR}\b", _I)),
    ("DATE", re.compile(rf"\b{_PART}?{_SURE_MONTH}", _I)),
    (
        "DATE",
        re.compile(
            rf"\b(?:in|since|until|till|by|last|next|this|from|before|after|during|to|around|through) "
            rf"(?P<it>{_PART}?{_MONTH})(?! (?:be|have|not|well|i|we|you)\b)(?!\w)",
            _I,
        ),
    ),
    ("DATE", re.compile(rf"\b{_PART}{_MONTH}(?!\w)", _I)),
    (
        "DATE",
        re.compile(
            rf"\b(?:(?:the )?(?:spring|summer|autumn|fall|winter|christmas|easter|year|new year's|thanksgiving)(?:"
            rf" of| in)? )?{_YEAR}"
            r"(?:[-–/](?:19|20)?\d{2})?\b(?! (?:pounds|dollars|euros|quid|calories|people|times|words|steps"
            r"|miles|km)\b)",
            _I,
        ),
    ),
    ("DATE", re.compile(r"\b(?:in|of|since|until|back in|from|summer|winter|class) (?P<it>['’]\d\d)\b", _I)),
    (
        "DATE",
        re.compile(
            rf"\b(?:nineteen|twenty)[ -](?:{_GROWN}|oh[ -](?:{'|'.join(_UNIT)})|hundred)\b"
            rf"|\btwo thousand(?: and)? (?:{_WORDED})\b",
            _I,
        ),
    ),
    (
        "DATE",
        re.compile(
            r"\b(?:on|since|until|by|from|for|after|before) (?P<it>the \d{1,2}(?:st|nd|rd|th))\b(?! (?:time"
            r"|floor|grade|year|day|of)\b)",
            _I,
        ),
    ),
    # --- how old ---
    ("AGE", re.compile(rf"\b{_NUM}[ -](?:and a half[ -])?(?:years?|yrs?|months?|weeks?)[ -]?old\b", _I)),
    ("AGE", re.compile(r"\b\d{1,2} ?(?:yo|y/o|y\.o\.|yrs? old|yr old)(?!\w)", _I)),
    ("AGE", re.compile(rf"\b(?:aged?|age of|age is|age:) (?P<it>{_NUM})", _I)),
    ("AGE", re.compile(rf"\b(?:turn|turned|turning|turns) (?P<it>{_NUM})(?! (?:degrees|times)\b)", _I)),
    (
        "AGE",
        re.compile(
            r"\b(?:i['’]?m|i am|he['’]?s|she['’]?s|you['’]?re|they['’]?re|(?:i|he|she|they|you|we|who) (?:is"
            r"|was|were|will be|are)"
            r"|(?:he|she|i|you|they|we)['’]?ll be|be|being|\w+['’]s|(?-i:(?!That|It|There|This|Which|What"
            r"|Here|One|Mine|Yours|Where|Who|He|She)[A-Z][a-z]+) (?:is|was)"
            r"|(?:son|daughter|kid|child|boy|girl|baby|brother|sister|mother|father|mum|mom|dad|wife|husband"
            r"|partner|gran|nan) (?:is|was))"
            rf" (?:only |just |about |almost |nearly |already |like |around |barely |over )?"
            rf"(?P<it>(?!one\b){_NUM}){_STOP}",
            _I,
        ),
    ),
    (
        "AGE",
        re.compile(
            rf"\b(?:when|since|until|till|before|once) (?:i|he|she|they|you|we|\w+) (?:was|were|is) (?:only"
            rf" |just |about |like )?(?P<it>{_NUM})(?! (?:stone|pounds|kilos|feet|months pregnant))",
            _I,
        ),
    ),
    ("AGE", re.compile(rf"\bacts? like (?:he|she|they|i)(?:['’]?s|['’]?re| is| are| am) (?P<it>{_NUM})", _I)),
    (
        "AGE",
        re.compile(
            rf"\bat (?P<it>(?:1[3-9]|[2-9]\d)(?![\w:%.]\w)|{_GROWN})(?! (?:past|to|in the|percent|degrees"
            rf"|minutes|am|pm|o'clock|miles|hours|pounds|dollars|or)\b)",
            _I,
        ),
    ),
    (
        "AGE",
        re.compile(
            r"\bin (?:my|his|her|their|your|our) (?:early |mid[ -]|late )?(?:teens|twenties|thirties|forties"
            r"|fifties|sixties|seventies|eighties"
            r"|nineties|[2-9]0['’]?s)\b",
            _I,
        ),
    ),
    ("AGE", re.compile(rf"(?<=, )(?:[1-9]\d|{_GROWN})(?=, )", _I)),
    ("AGE", re.compile(r"(?<=\()\d{1,2}(?: ?[mf])?(?=\))", _I)),
    ("AGE", re.compile(r"(?:^|[\n.(] ?)(?P<it>[1-9]\d ?[mf])\b(?!['’])", _I)),
    ("AGE", re.compile(r"(?<![\w'’])(?P<it>[mf] ?[1-9]\d)(?=[\s,.)]|$)", _I)),
)
_PHONE = re.compile(r"(?<![\w.,/-])(?:\+|00)?\(?\d{1,5}\)?(?:[ .\-/]{1,2}\(?\d{1,6}\)?|\d{1,6}){1,6}(?!\w|[.,:]\d)")
_SAID = "|".join([*_UNIT, "zero", "oh", "nought", r"double \w+", r"triple \w+"])
_SPOKEN = re.compile(rf"\b(?:{_SAID})(?:[ ,-]{{1,2}}(?:{_SAID})){{5,14}}\b", _I)
_TWO_YEARS = re.compile(rf"{_YEAR}\s?[-–/]\s?{_YEAR}")


_AFTER_NAME = re.compile(
    rf"(?:['’]s)?(?: (?:is|was)|,| \(| -)? (?:only |just |about |nearly |almost )?(?P<it>{_NUM}){_STOP}", _I
)


def age_after(text: str, at: int) -> Span | None:
    """Return the age that is told right after a name that ends at ``at`` ("Mateo is 5")."""
    m = _AFTER_NAME.match(text, at)
    return Span(m.start("it"), m.end("it"), "AGE") if m else None


def by_form(text: str) -> Iterator[Span]:
    """Yield what is found by its form alone. Spans may overlap.

    Examples
    --------
    >>> [(s.kind, "ring 07700 900 123 on 3 May"[s.start:s.end]) for s in by_form("ring 07700 900 123 on 3 May")]
    [('DATE', '3 May'), ('PHONE', '07700 900 123')]
    """
    for kind, pattern in _FORMS:
        group = "it" if "it" in pattern.groupindex else 0
        for m in pattern.finditer(text):
            yield Span(m.start(group), m.end(group), kind)
    for m in chain(_PHONE.finditer(text), _SPOKEN.finditer(text)):
        digits = sum(c.isdigit() for c in m.group())
        if (7 <= digits <= 19 and not _TWO_YEARS.fullmatch(m.group())) or (not digits and m.group()):
            yield Span(m.start(), m.end(), "PHONE" if digits <= 15 else "ID")
