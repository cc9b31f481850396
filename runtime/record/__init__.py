"""The durable record of a session's goal: its value, its JSON, its measure and its refusals."""

from .foreign import Imported, read_foreign
from .measuring import MAX_BESIDE, MAX_RECORD, canonical_record, measure, measure_beside
from .objective import capped_objective
from .parts import (
    RECORD_VERSION,
    Actor,
    Candidate,
    Claim,
    Evaluation,
    Lineage,
    Metadata,
    Pending,
    Record,
    Status,
    StatusName,
    Turn,
    Usage,
    Verification,
)
from .reading import BadRecord, NewerRecord, read_record, write_record
from .times import BadTime, read_stamp, stamp, write_stamp

__all__ = [
    "MAX_BESIDE", "MAX_RECORD", "RECORD_VERSION", "Actor", "BadRecord", "BadTime", "Candidate",
    "Claim", "Evaluation", "Imported", "Lineage", "Metadata", "NewerRecord", "Pending", "Record",
    "Status", "StatusName", "Turn", "Usage", "Verification", "canonical_record",
    "capped_objective", "measure", "measure_beside", "read_foreign", "read_record", "read_stamp",
    "stamp", "write_record", "write_stamp",
]  # fmt: skip
