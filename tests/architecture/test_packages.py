"""The four package names are ours alone, and each carries its typing marker."""

from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

NAMES = ("domain", "application", "adapters", "entrypoints")
SOURCE = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize("name", NAMES)
def test_no_other_distribution_brings_a_package_of_our_names(name: str) -> None:
    owners = set(packages_distributions().get(name, [])) - {"assay"}
    assert not owners, f"{owners} also install a package called {name!r}; imports would be ambiguous"


@pytest.mark.parametrize("name", NAMES)
def test_each_package_is_typed_and_the_source_root_is_not_a_package(name: str) -> None:
    assert (SOURCE / name / "py.typed").exists()
    assert not (SOURCE / "__init__.py").exists()
