"""
Verifies product certificates of Touchstone: offline, or with the keys and status lists of the issuers that you trust.

    from touchstone_certificate import create_trust, verify_product_certificate

    trust = create_trust(trusted_issuers=["https://certificates.example"])
    result = verify_product_certificate(document, page_url="https://shop.example/products/cup", trust=trust)
    result.status  # 'verified', 'failed' or 'unverified'
"""

from .amended import with_log, with_withdrawal
from .cannot_verify import CannotVerifyError
from .fetching import Fetch, Response, http_fetch
from .image_bytes import ManifestReading, ReadManifest
from .log_policy import LogPolicy, LogPolicyError
from .log_proof import verify_included, verify_log_proof
from .page.judge import verify_from_html
from .pages import compare_pages, host_of, normalize_host, same_host
from .profiles import verify_by_profile
from .receipts import ReceiptFinding, verify_receipt
from .results import (
    CheckResult,
    Conclusion,
    LogFinding,
    PageVerification,
    ProfileVerification,
    ProofVerification,
    VerificationResult,
    Withdrawal,
)
from .sentences import sentence
from .trust import IssuerKeys, Trust, create_trust
from .verify import verify_product_certificate, verify_proof
from .version import VERSION as __version__
from .withdrawal import StatusLists

__all__ = [
    "CannotVerifyError",
    "CheckResult",
    "Conclusion",
    "Fetch",
    "IssuerKeys",
    "LogFinding",
    "LogPolicy",
    "LogPolicyError",
    "ManifestReading",
    "PageVerification",
    "ProfileVerification",
    "ProofVerification",
    "ReadManifest",
    "ReceiptFinding",
    "Response",
    "StatusLists",
    "Trust",
    "VerificationResult",
    "Withdrawal",
    "__version__",
    "compare_pages",
    "create_trust",
    "host_of",
    "http_fetch",
    "normalize_host",
    "same_host",
    "sentence",
    "verify_by_profile",
    "verify_from_html",
    "verify_included",
    "verify_log_proof",
    "verify_product_certificate",
    "verify_proof",
    "verify_receipt",
    "with_log",
    "with_withdrawal",
]
