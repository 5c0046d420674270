"""What a schedule may be called: it stands in lists, in logs and in a command that removes it."""

from config.errors import SettingsError
from config.language import _
from pipeline.schedule.quoted import quoted

_LONGEST = 40


def checked_name(name: str) -> str:
    """`name` itself: 1 to 40 printable signs, no blanks around; SettingsError for others."""
    if not name or len(name) > _LONGEST or not name.isprintable() or name != name.strip():
        raise SettingsError(
            _("{name} is no name for a schedule: give it 1 to {count} letters or digits").format(
                name=quoted(name, letters=_LONGEST), count=_LONGEST
            )
        )
    return name
