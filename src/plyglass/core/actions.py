"""An action is one int32: kind (7 bits), source (12 bits), target (12 bits).

A game with simple moves uses only the target, so playing column 3 is action 3. Games with units or
cards use the kind (what is done), the source (who acts) and the target (on what). All games share
this layout, so planners can choose the kind first, then the source, and then the full action.
"""

from plyglass.core.compile import kernel

KIND_BITS, SOURCE_BITS, TARGET_BITS = 7, 12, 12
KINDS, SOURCES, TARGETS = 1 << KIND_BITS, 1 << SOURCE_BITS, 1 << TARGET_BITS


@kernel
def pack(kind, source, target):
    """The action with this kind, source and target."""
    return (kind << 24) | (source << 12) | target


@kernel
def kind_of(action):
    """The kind of an action."""
    return action >> 24


@kernel
def source_of(action):
    """The source of an action: who acts."""
    return (action >> 12) & 4095


@kernel
def target_of(action):
    """The target of an action."""
    return action & 4095


def unpack(action: int) -> tuple[int, int, int]:
    """(kind, source, target) of an action."""
    return action >> 24, (action >> 12) & 4095, action & 4095
