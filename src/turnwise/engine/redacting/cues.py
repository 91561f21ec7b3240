"""Small words that announce a name or follow one: titles, kin, relations, verbs."""

__all__ = ["ADJECTIVES", "CALLED", "DOES", "KIN", "NOT_NAMES", "PARTICLES", "RELATIONS", "SMALL_TITLES", "TITLES"]

TITLES = frozenset(
    """
    mr mrs ms miss mx dr doctor prof professor nurse sister father pastor reverend rev rabbi imam judge
    officer coach sir lady lord captain sergeant detective dame madame monsieur herr frau senor senora
    sensei brother friar bishop
    """.split()
)

SMALL_TITLES = frozenset("mr mrs ms miss mx dr prof professor doctor nurse coach".split())
"""Titles that are such in small letters too; "sister anna" is a relation."""

KIN = frozenset(
    """
    uncle aunt auntie aunty grandma grandpa granny gran nan nana papa mama grandad granddad grandfather
    grandmother cousin tante oma opa abuela abuelo nonna nonno
    """.split()
)

RELATIONS = frozenset(
    """
    sister brother wife husband partner boyfriend girlfriend bf gf bff friend friends mate pal buddy son
    daughter kid child boy girl baby boss manager supervisor coworker colleague neighbour neighbor ex mum
    mom mam mother dad father uncle aunt auntie cousin niece nephew grandson granddaughter stepson
    stepdaughter stepdad stepmum stepmom stepfather stepmother stepsister stepbrother sis bro roommate
    roomate flatmate housemate fiance fiancee landlord landlady teacher doctor gp therapist counsellor
    counselor psychiatrist psychologist solicitor lawyer dog cat horse puppy kitten rabbit hamster twin
    twins law sponsor crush lad lass godson goddaughter half guy man woman called named name dentist midwife
    tutor lodger tenant carer nan gran grandma grandpa classmate teammate
    """.split()
)

CALLED = frozenset(
    """
    called named name's names call nicknamed nickname hi hello hey hiya dear thanks thx cheers aka
    """.split()
)

DOES = frozenset(
    """
    said says say is was has had came comes went left told tells thinks thought knows knew did does didn't
    doesn't isn't wasn't won't can't will would wants wanted got gets asked asks died keeps kept moved
    called texted runs turned hit made makes needs never always still just likes loves hates took gave lives
    lived paid looked hasn't hasnt doesnt didnt isnt wasnt and
    """.split()
)

PARTICLES = frozenset(
    """
    van von de der den del della di da dos du la le al el bin ibn ben bint st mac mc o ap y
    """.split()
)

ADJECTIVES = frozenset(
    """
    old big little young poor dear wee auld fat tall crazy
    """.split()
)

NOT_NAMES = frozenset(
    """
    i i'm i've i'd i'll im ive a an the and or but if so no not yes it it's its he she we you they my your
    his her our their this that these those there here what who when where why how me him them us who's
    what's
    """.split()
)
