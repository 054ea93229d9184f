"""Files of the app that are made from Python: `python -m tests.app.generated` writes them."""

from pathlib import Path

from plyglass.report.drawing.palette import DARK, LIGHT

APP = Path(__file__).parents[2] / "app"
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}
NOTICE = "Written by `python -m tests.app.generated`; do not edit."


def palette_css():
    """The colours of all roles, as variables of CSS."""

    def block(selector, palette, indent=""):
        lines = [f"{indent}  --{role}: {color};" for role, color in palette.colors.items()]
        return "\n".join([f"{indent}{selector} {{", *lines, f"{indent}}}"])

    dark = block(':root:not([data-theme="light"])', DARK, "  ")
    return "\n\n".join(
        (
            f"/* {NOTICE} */",
            block(":root", LIGHT),
            f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}",
            block(':root[data-theme="dark"]', DARK) + "\n",
        )
    )


def api_types():
    """The types of all requests and replies, from the server's OpenAPI."""
    from plyglass.serve.app import app_for
    from plyglass.serve.settings import Settings
    from plyglass.serve.tickets import Seal

    schemas = app_for(Settings(), 1, Seal.of_file(None)).openapi()["components"]["schemas"]
    return f"// {NOTICE}\n" + "\n".join(
        _interface(name, schema) for name, schema in sorted(schemas.items()) if name[0] != "_"
    )


def _interface(name, schema):
    if schema.get("type") != "object":
        return f"export type {name} = {_type(schema)};\n"
    needed = schema.get("required", ())
    lines = []
    for field, values in schema.get("properties", {}).items():
        about = " ".join(values.get("description", "").split())
        lines += [f"  /** {about} */"] if about else []
        lines.append(f"  {field}{'' if field in needed else '?'}: {_type(values)};")
    about = " ".join(schema.get("description", "").split())
    head = f"/** {about} */\n" if about else ""
    return "\n".join((f"{head}export interface {name} {{", *lines, "}\n"))


def _type(schema):
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        words = schema.get("enum", [schema.get("const")])
        return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in words)
    if "anyOf" in schema or "oneOf" in schema:
        found = (_type(each) for each in schema.get("anyOf") or schema["oneOf"])
        return " | ".join(dict.fromkeys(found))
    kind = schema.get("type")
    if kind == "array":
        inner = _type(schema.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        inner = schema.get("additionalProperties", True)
        return f"Record<string, {_type(inner) if isinstance(inner, dict) else 'unknown'}>"
    return "null" if kind == "null" else PLAIN.get(kind, "unknown")


FILES = {"src/palette.css": palette_css, "src/api.gen.ts": api_types}

if __name__ == "__main__":
    for name, made in FILES.items():
        (APP / name).write_text(made(), encoding="utf-8")
