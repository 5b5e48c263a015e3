"""What a certificate says was left."""

from __future__ import annotations

from application.erasure.complete import kept_by


def test_what_texts_say_beside_blacked_out_names_is_named_as_left() -> None:
    assert kept_by({"document": 3, "blacked_out_document": 0}) == []
    assert kept_by({"blacked_out_document": 2, "object_with_versions_left": 1}) == [
        "1 objects have former versions in the object store, which does not let go of them",
        "2 documents stay with the names blacked out; what is said there beside the names stays readable, such as "
        "dates, places and deeds, and may tell who is meant",
    ]
