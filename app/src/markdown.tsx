/** The little Markdown that rules of games are written in. Nothing in it becomes HTML by itself. */
import type { ReactNode } from "react";

type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] };

/** The blocks of a text. */
export function blocks(text: string): Block[] {
  const found: Block[] = [];
  const lines = text.split("\n");
  for (let place = 0; place < lines.length; ) {
    const line = lines[place] ?? "";
    const until = (ends: (line: string) => boolean) => {
      const begun = place;
      while (place < lines.length && !ends(lines[place] ?? "")) place++;
      return lines.slice(begun, place);
    };
    const heading = /^(#+) (.*)/.exec(line);
    if (!line.trim()) place++;
    else if (heading) {
      found.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
      place++;
    } else if (line.startsWith("```")) {
      place++;
      found.push({ kind: "code", text: until((each) => each.startsWith("```")).join("\n") });
      place++;
    } else if (line.startsWith("|")) {
      const [head, , ...rows] = until((each) => !each.startsWith("|")).map(cells);
      found.push({ kind: "table", head: head ?? [], rows });
    } else if (ITEM.test(line)) {
      const all = until((each) => !each.trim() || each.startsWith("#"));
      const items: string[] = [];
      for (const each of all) {
        if (ITEM.test(each)) items.push(each.replace(ITEM, ""));
        else items.push(`${items.pop() ?? ""} ${each.trim()}`);
      }
      found.push({ kind: "list", ordered: /^\d/.test(line), items });
    } else
      found.push({ kind: "text", text: until((each) => !each.trim() || /^(#|\||```|[-*] )/.test(each)).join(" ") });
  }
  return found;
}

const ITEM = /^\s*([-*]|\d+\.) /;
const cells = (line: string) =>
  line
    .slice(1, line.lastIndexOf("|"))
    .split("|")
    .map((cell) => cell.trim());

/** A line with code, bold and italic words; links become their text. */
export function Words({ text }: { text: string }): ReactNode {
  const parts = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
  return parts.map((part, number) => {
    const key = `${number}${part}`;
    if (part.startsWith("`")) return <code key={key}>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <strong key={key}>{part.slice(2, -2)}</strong>;
    if (part.startsWith("*") && part.length > 2) return <em key={key}>{part.slice(1, -1)}</em>;
    return part;
  });
}

export function Markdown({ text }: { text: string }) {
  return blocks(text).map((block, number) => {
    const key = `${number}`;
    if (block.kind === "heading") {
      const Heading = block.level < 3 ? "h3" : "h4";
      return (
        <Heading key={key}>
          <Words text={block.text} />
        </Heading>
      );
    }
    if (block.kind === "code") return <pre key={key}>{block.text}</pre>;
    if (block.kind === "text") {
      return (
        <p key={key}>
          <Words text={block.text} />
        </p>
      );
    }
    if (block.kind === "list") {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List key={key}>
          {block.items.map((item) => (
            <li key={item}>
              <Words text={item} />
            </li>
          ))}
        </List>
      );
    }
    return (
      <div className="table" key={key}>
        <table>
          <thead>
            <tr>
              {block.head.map((cell) => (
                <th key={cell}>
                  <Words text={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row) => (
              <tr key={row.join("|")}>
                {row.map((cell, column) => (
                  <td key={block.head[column]}>
                    <Words text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  });
}
