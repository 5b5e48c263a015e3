"""Words of questions: what they ask for, what says nothing by itself, and phrases that the vocabulary does not have.

All are folded: lower case, without accents, so that a question typed without accents reads the same.
"""

from __future__ import annotations

from enum import StrEnum


class Wanted(StrEnum):
    """What kind of answer a question word asks for."""

    PARTY = "party"
    PLACE = "place"
    TIME = "time"
    AMOUNT = "amount"
    ANYTHING = "anything"


WANTED: tuple[tuple[tuple[str, ...], Wanted], ...] = (
    (("how", "many"), Wanted.AMOUNT),
    (("how", "much"), Wanted.AMOUNT),
    (("how", "long"), Wanted.AMOUNT),
    (("how", "large"), Wanted.AMOUNT),
    (("how", "big"), Wanted.AMOUNT),
    (("bao", "nhieu"), Wanted.AMOUNT),
    (("bao", "lau"), Wanted.AMOUNT),
    (("what", "year"), Wanted.TIME),
    (("which", "year"), Wanted.TIME),
    (("what", "date"), Wanted.TIME),
    (("which", "date"), Wanted.TIME),
    (("what", "day"), Wanted.TIME),
    (("which", "day"), Wanted.TIME),
    (("what", "month"), Wanted.TIME),
    (("which", "month"), Wanted.TIME),
    (("khi", "nao"), Wanted.TIME),
    (("nam", "nao"), Wanted.TIME),
    (("ngay", "nao"), Wanted.TIME),
    (("thang", "nao"), Wanted.TIME),
    (("bao", "gio"), Wanted.TIME),
    (("luc", "nao"), Wanted.TIME),
    (("what", "city"), Wanted.PLACE),
    (("which", "city"), Wanted.PLACE),
    (("what", "country"), Wanted.PLACE),
    (("which", "country"), Wanted.PLACE),
    (("what", "place"), Wanted.PLACE),
    (("which", "place"), Wanted.PLACE),
    (("o", "dau"), Wanted.PLACE),
    (("noi", "nao"), Wanted.PLACE),
    (("thanh", "pho", "nao"), Wanted.PLACE),
    (("nuoc", "nao"), Wanted.PLACE),
    (("what", "company"), Wanted.PARTY),
    (("which", "company"), Wanted.PARTY),
    (("which", "team"), Wanted.PARTY),
    (("what", "team"), Wanted.PARTY),
    (("which", "person"), Wanted.PARTY),
    (("cong", "ty", "nao"), Wanted.PARTY),
    (("nguoi", "nao"), Wanted.PARTY),
    (("doi", "nao"), Wanted.PARTY),
    (("nhom", "nao"), Wanted.PARTY),
    (("who",), Wanted.PARTY),
    (("whom",), Wanted.PARTY),
    (("whose",), Wanted.PARTY),
    (("ai",), Wanted.PARTY),
    (("where",), Wanted.PLACE),
    (("when",), Wanted.TIME),
)
"""Question words and what they ask for; the first that a question holds counts. "AI" in capitals is no "ai"."""

AUXILIARIES = frozenset({
    "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "has", "have", "had", "will",
    "would", "can", "could", "should", "shall", "may", "might", "'s",
})  # fmt: skip
BE = frozenset({"is", "are", "was", "were", "been", "be", "duoc", "bi"})
"""What makes a verb passive, in Vietnamese too."""
PREPOSITIONS = frozenset({
    "of", "at", "for", "in", "on", "to", "by", "from", "with", "into", "as", "under", "over", "about", "per",
    "through", "within", "around", "near", "up", "out", "off",
})  # fmt: skip
ARTICLES = frozenset({
    "the", "a", "an", "its", "their", "his", "her", "our", "your", "my",
})  # fmt: skip
_OTHER_ENGLISH = frozenset({
    "and", "or", "but", "not", "no", "nor", "so", "if", "then", "than", "that", "this", "these", "those", "it",
    "he", "she", "they", "we", "you", "i", "me", "him", "them", "us", "there", "here", "who", "whom", "whose",
    "what", "which", "when", "where", "why", "how", "many", "much", "any", "some", "all", "each", "every", "more",
    "most", "other", "such", "only", "also", "just", "very", "too", "now", "please", "tell", "show", "give", "find",
    "know", "between", "before", "after", "during", "while", "because", "until", "since", "s", "t",
})  # fmt: skip
_VIETNAMESE = frozenset({
    "la", "cua", "va", "cac", "nhung", "mot", "voi", "cho", "trong", "ngoai", "tren", "duoi", "nay", "kia", "nao",
    "gi", "ai", "dau", "bao", "nhieu", "khi", "co", "khong", "duoc", "bi", "da", "dang", "se", "thi", "ma", "hay",
    "hoac", "o", "tai", "tu", "den", "ve", "theo", "nhu", "rang", "vao", "ra", "cung", "rat",
})  # fmt: skip
FUNCTION_WORDS = AUXILIARIES | PREPOSITIONS | ARTICLES | _OTHER_ENGLISH | _VIETNAMESE
"""Words that are no match by themselves."""

DEFAULTS: dict[Wanted, tuple[str, ...]] = {Wanted.PLACE: ("LOCATED_IN", "HEADQUARTERED_IN", "LOCATED_AT")}
"""What is asked about a thing by a question word alone: "Where is X?"."""

MORE_NOUNS: dict[str, tuple[str, ...]] = {
    "HAS_HEADCOUNT": (
        "employees", "people work", "staff", "people", "nhan vien", "so nhan vien", "nguoi lam viec", "nhan su",
    ),
    "REPORTS_TO": ("boss", "manager", "line manager", "cap tren", "sep", "quan ly truc tiep"),
    "HAS_CEO": ("tong giam doc", "giam doc dieu hanh", "boss"),
    "HAS_CFO": ("giam doc tai chinh",),
    "HAS_CTO": ("giam doc cong nghe", "giam doc ky thuat"),
    "HAS_COO": ("giam doc van hanh",),
    "HAS_CHAIR": ("chu tich", "chu tich hoi dong quan tri"),
    "LED_BY": ("head", "leader", "truong", "nguoi dung dau", "truong nhom"),
    "MANAGED_BY": ("manager", "quan ly", "dieu hanh"),
    "FOUNDED_BY": ("nguoi sang lap", "sang lap", "thanh lap"),
    "FOUNDED_ON": ("thanh lap", "ngay thanh lap"),
    "OPENED_ON": ("mo cua", "khai truong", "di vao hoat dong"),
    "OWNED_BY": ("chu so huu",),
    "HEADQUARTERED_IN": ("tru so", "tru so chinh", "dat tru so"),
    "LOCATED_IN": ("nam o", "toa lac", "dat tai", "based"),
    "LOCATED_AT": ("dia chi",),
    "HAS_EMAIL": ("thu dien tu", "dia chi email"),
    "HAS_PHONE": ("so dien thoai", "dien thoai"),
    "HAS_STATUS": ("trang thai", "tinh trang"),
    "HAS_VERSION": ("phien ban",),
    "HOLDS_ROLE": ("chuc vu", "vai tro", "job"),
    "HAS_REVENUE": ("doanh thu",),
    "HAS_PRICE": ("gia", "gia ban", "cost"),
    "HAS_COST": ("chi phi",),
    "HAS_BUDGET": ("ngan sach",),
    "HAS_POPULATION": ("dan so", "people live"),
    "HAS_CAPITAL": ("thu do",),
    "CAUSED_BY": ("nguyen nhan",),
    "HAS_ROOT_CAUSE": ("nguyen nhan goc", "nguyen nhan"),
    "HAS_DURATION": ("keo dai", "thoi luong"),
    "OCCURRED_ON": ("xay ra", "dien ra", "happen", "take place"),
    "BORN_ON": ("sinh ngay", "ngay sinh"),
    "BORN_IN": ("noi sinh", "sinh ra"),
    "EFFECTIVE_ON": ("co hieu luc",),
    "EXPIRES_ON": ("het han",),
    "DECIDED_ON": ("ngay quyet dinh",),
}  # fmt: skip
"""Further phrases by the predicate that they state, each read "subject's phrase", wherever the subject stands."""

MORE_VERBS: dict[str, tuple[str, ...]] = {
    "OWNS": ("so huu",),
    "ACQUIRED": ("mua lai", "thau tom"),
    "DEPENDS_ON": ("phu thuoc vao", "phu thuoc", "need to run"),
    "RUNS_ON": ("chay tren", "hoat dong tren"),
    "USES": ("su dung", "dung"),
    "STORED_IN": ("luu tru trong", "luu o"),
    "LEADS": ("dan dau", "lanh dao", "dung dau"),
    "MANAGES": ("runs", "chiu trach nhiem quan ly"),
    "WORKS_FOR": ("lam viec cho", "lam viec tai", "lam cho"),
    "REPORTS_TO": ("bao cao cho", "bao cao voi"),
    "RESPONSIBLE_FOR": ("chiu trach nhiem", "phu trach"),
    "PRODUCES": ("san xuat",),
    "SUPPLIES": ("cung cap",),
    "PART_OF": ("thuoc ve", "la mot phan cua"),
    "MEMBER_OF": ("thanh vien cua",),
    "DECIDED_BY": ("quyet dinh boi",),
    "DECIDED": ("quyet dinh",),
    "APPROVED": ("phe duyet",),
    "REPLACES": ("thay the",),
    "MARRIED_TO": ("ket hon voi",),
    "LIVES_IN": ("song o", "sinh song tai"),
    "AFFECTS": ("anh huong den", "anh huong toi"),
}
"""Further phrases that read "subject phrase object", whose place beside a name tells which of the two is known."""
