"""The text of a page's bytes, by the WHATWG rules, but for declarations that the bytes contradict."""

from __future__ import annotations

import codecs
import re
from typing import List, Optional

_PRESCAN, _SAMPLE = 8192, 512
_SINGLE_BYTE = re.compile(r"cp(125\d|874|866)|iso8859-\d+|koi8-[ru]|mac-(roman|cyrillic)|latin-?1")
# labels of the Encoding Standard under which Python knows another encoding, or none
_LABELS = {
    "ascii": "windows-1252",
    "us-ascii": "windows-1252",
    "iso-8859-1": "windows-1252",
    "iso8859-1": "windows-1252",
    "latin1": "windows-1252",
    "l1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "latin5": "windows-1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "unicode-1-1-utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}


def decode_page(data: bytes, content_type: Optional[str], findings: List[str]) -> str:
    """
    The text of a page.

    :param content_type: `Content-Type` of the response, if known
    :param findings: codes are added to it
    """
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    declared = [label for label in (_of_content_type(content_type), _prescanned(data)) if label]
    if not any(re.match("utf-?16", label, re.I) for label in declared):
        wide = _undeclared_utf16(data)
        if wide is not None:
            findings.append("utf16_undeclared")
            return data.decode(wide, "replace")
    if _is_compressed(data):
        findings.append("not_text")
        return ""
    for label in declared:
        known = _encoding_of(label)
        if known is not None:
            return _decoded_as(known, data, findings)
        findings.append("charset_unknown")
    text = _as_utf8(data)
    if text is not None:
        return text
    findings.append("charset_undeclared")
    text = data.decode("utf-8", "replace")
    beyond_ascii = sum(1 for character in text if character > "\x7f")
    return text if text.count("\ufffd") <= beyond_ascii * 0.1 else data.decode("windows-1252", "replace")


def _decoded_as(encoding: str, data: bytes, findings: List[str]) -> str:
    text = data.decode(encoding, "replace")
    utf8 = _as_utf8(data) if _SINGLE_BYTE.fullmatch(encoding) else None
    # equal length means ASCII, which both encodings share; other text is hardly ever valid UTF-8 by chance
    if utf8 is None or len(utf8) == len(text):
        return text
    findings.append("charset_contradicted")
    return utf8


def _as_utf8(data: bytes) -> Optional[str]:
    """The text, if the bytes are valid UTF-8; the last character may be cut."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return None


def _encoding_of(label: str) -> Optional[str]:
    """The name by which Python knows an encoding of the web."""
    name = label.strip().lower()
    try:
        found = codecs.lookup(_LABELS.get(name, name))
        # some codecs of Python are none of characters
        "a".encode(found.name).decode(found.name)
    except (LookupError, ValueError, TypeError):
        return None
    return found.name


def _of_content_type(content_type: Optional[str]) -> Optional[str]:
    found = re.search(r""";\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;\s]+))""", content_type or "", re.I)
    return next((part.strip() for part in found.groups() if part), None) if found else None


def _prescanned(data: bytes) -> Optional[str]:
    """The encoding that the page declares itself (HTML Living Standard, 13.2.3.2)."""
    head = re.sub(r"<!--.*?-->", "", data[:_PRESCAN].decode("latin-1"), flags=re.S)
    for tag in re.findall(r"<meta[\s/][^>]*>", head, re.I):
        label = _of_meta(tag)
        if label is not None:
            # the declaration was readable as ASCII, so that the page is not UTF-16
            if label.lower().startswith("utf-16"):
                return "utf-8"
            return "windows-1252" if label.lower() == "x-user-defined" else label
    return None


def _of_meta(tag: str) -> Optional[str]:
    def attribute(name: str) -> str:
        found = re.search(r"""[\s/'"]%s\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""" % name, tag, re.I)
        return next((part.strip() for part in found.groups() if part), "") if found else ""

    direct = attribute("charset")
    if direct:
        return direct
    if attribute("http-equiv").lower() != "content-type":
        return None
    found = re.search(r"""charset\s*=\s*["']?\s*([^\s;"']+)""", attribute("content"), re.I)
    return found.group(1) if found else None


def _is_compressed(data: bytes) -> bool:
    if data[:2] == b"\x1f\x8b" or data[:4] == b"\x28\xb5\x2f\xfd":
        return True
    sample = data[:_SAMPLE]
    controls = sum(1 for byte in sample if byte < 0x20 and byte != 0 and not 0x09 <= byte <= 0x0F and byte != 0x1B)
    return len(sample) >= 64 and controls > len(sample) * 0.05


def _undeclared_utf16(data: bytes) -> Optional[str]:
    """In markup, about half of the bytes are then zero."""
    sample = data[:_SAMPLE]
    even, odd, most = sample[::2].count(0), sample[1::2].count(0), len(sample) * 0.4
    if odd > most and even == 0:
        return "utf-16-le"
    return "utf-16-be" if even > most and odd == 0 else None
