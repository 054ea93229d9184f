/** Before a match: which seat, which opponent, how long it thinks. */
import { useState } from "react";
import { Refused, start } from "../api";
import type { Game, Option as GameOption, Level } from "../api.gen";
import { sentence } from "../panels/Actions";
import { Rules, useAbout } from "../panels/Rules";
import { addressOf, go } from "../router";
import { after, keep } from "../saved";
import { Picture } from "../scene/Picture";
import type { Scene } from "../scene/types";
import { variantOf } from "../variant";
import { Marks, titled } from "./Home";

const SECONDS = [0, 0.5, 1, 2, 5, 10]; // 0: as the level has it
const PERSON = "human"; // instead of a level: somebody else, by a link
const CHOSEN = "plyglass.chosen."; // the last level by game
const FEW = 6; // values of an option that are shown side by side
const CLOCKS = { "no limit": 0, "1 minute": 60, "5 minutes": 300, "1 day": 86_400 }; // seconds of people for a turn

export function NewGame({ games, id }: { games: Game[]; id: string }) {
  const game = games.find((each) => each.id === id);
  if (!game) {
    return (
      <main className="page">
        <h1>There is no game {id} here</h1>
        <a href={addressOf({ page: "home" })}>All games</a>
      </main>
    );
  }
  return <Form game={game} />;
}

function Form({ game }: { game: Game }) {
  const levels = game.levels;
  const kept = localStorage.getItem(CHOSEN + game.id);
  const [seat, setSeat] = useState(0); // -1: by chance
  const [level, setLevel] = useState(levels.some(({ id }) => id === kept) ? (kept as string) : (levels[0]?.id ?? ""));
  const [seconds, setSeconds] = useState(0);
  const [clock, setClock] = useState(0);
  const [options, setOptions] = useState<Record<string, string>>({});
  const [advice, setAdvice] = useState(false);
  const [glass, setGlass] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const variant = variantOf(game, options);
  const about = useAbout(variant);
  const begin = async () => {
    setBusy(true);
    setProblem("");
    localStorage.setItem(CHOSEN + game.id, level);
    const mine = seat < 0 ? Math.floor(Math.random() * game.players) : seat;
    const other = level === PERSON ? PERSON : `level:${level}`;
    const seats = game.seats.map((_, number) => (number === mine ? "me" : other));
    try {
      const aids = { ...(advice ? { advice: `level:${levels.at(-1)?.id}` } : {}), ...(glass ? { glass } : {}) };
      const help = level === PERSON ? {} : aids;
      const time =
        level === PERSON ? (clock ? { clock_seconds: clock } : {}) : seconds ? { turn_seconds: seconds } : {};
      const wishes = { game: variant, seats, ...time, ...help };
      const placed = await start(wishes, {});
      keep(after(placed, { seats, log: [...placed.position.events], ...help }));
      go({ page: "play", match: placed.position.match });
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : "The server does not answer. Try again.");
      setBusy(false);
    }
  };
  const others = game.cooperative ? "Your partners" : "Your opponent";
  return (
    <main className="page new">
      <div className="intro">
        <nav aria-label="Breadcrumb">
          <a href={addressOf({ page: "home" })}>Games</a>
        </nav>
        <h1>{titled(game)}</h1>
        <p className="summary">{game.summary}</p>
        <Marks game={game} />
        {about?.scene ? (
          <div className="preview">
            <Picture scene={about.scene as unknown as Scene} />
          </div>
        ) : null}
      </div>
      <form
        className="wishes"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        {game.options.map((option) => (
          <Choice
            key={option.name}
            option={option}
            value={options[option.name] ?? option.value}
            choose={(value) => setOptions({ ...options, [option.name]: value })}
          />
        ))}
        {game.players > 1 ? (
          <fieldset>
            <legend>You play</legend>
            <div className="options">
              {game.seats.map((name, number) => (
                <Option
                  key={name}
                  group="seat"
                  label={name}
                  note={number === 0 ? "moves first" : ""}
                  checked={seat === number}
                  choose={() => setSeat(number)}
                />
              ))}
              <Option group="seat" label="either" note="by chance" checked={seat < 0} choose={() => setSeat(-1)} />
            </div>
          </fieldset>
        ) : null}
        {game.players > 1 ? (
          <fieldset>
            <legend>{others}</legend>
            <div className="options levels">
              {levels.map((each, number) => (
                <Option
                  key={each.id}
                  group="level"
                  label={each.id}
                  note={variant === game.id && seconds === 0 ? strength(each) : ""}
                  stars={number + 1}
                  checked={level === each.id}
                  choose={() => setLevel(each.id)}
                />
              ))}
            </div>
            <Option
              group="level"
              label="Somebody else"
              note="invited by a link, if the server keeps matches (--store)"
              checked={level === PERSON}
              choose={() => setLevel(PERSON)}
            />
            <details hidden={level === PERSON}>
              <summary>The agent of this level</summary>
              <code>{levels.find(({ id }) => id === level)?.agent}</code>
            </details>
          </fieldset>
        ) : null}
        {game.players > 1 && level !== PERSON ? (
          <fieldset>
            <legend>Time for its turn</legend>
            <div className="options small">
              {SECONDS.map((each) => (
                <Option
                  key={each}
                  group="seconds"
                  label={each === 0 ? "usual" : `${each} s`}
                  checked={seconds === each}
                  choose={() => setSeconds(each)}
                />
              ))}
            </div>
          </fieldset>
        ) : null}
        {level === PERSON ? (
          <fieldset>
            <legend>Time for each turn</legend>
            <div className="options small">
              {Object.entries(CLOCKS).map(([label, each]) => (
                <Option
                  key={label}
                  group="clock"
                  label={label}
                  checked={clock === each}
                  choose={() => setClock(each)}
                />
              ))}
            </div>
          </fieldset>
        ) : null}
        <fieldset hidden={level === PERSON}>
          <legend>Help</legend>
          <div className="options">
            <Switch
              label="Advice"
              note="ask the strongest level, which sees only your views"
              checked={advice}
              set={setAdvice}
            />
            {game.players > 1 && level !== PERSON ? (
              <Switch
                label="Glass"
                note={`show what agents think${game.hides ? " and believe" : ""} while they decide`}
                checked={glass}
                set={setGlass}
              />
            ) : null}
          </div>
        </fieldset>
        {problem ? (
          <p className="problem" role="alert">
            {problem}
          </p>
        ) : null}
        <div className="begin">
          <button type="submit" className="primary large" disabled={busy}>
            {busy ? "Setting up…" : "Play"}
          </button>
        </div>
      </form>
      <Rules manual={about?.manual} />
    </main>
  );
}

interface ChoiceProps {
  option: GameOption;
  value: string;
  choose: (value: string) => void;
}

/** An option of the game: buttons if its values are few, a list otherwise. */
function Choice({ option, value, choose }: ChoiceProps) {
  const words: Record<string, string> = { true: "yes", false: "no" };
  const shown = (each: string) => (words[each] ?? each.replaceAll("_", " ")).split("+").map(sentence).join(" against ");
  const name = sentence(option.name.replaceAll("_", " "));
  if (option.values.length > FEW) {
    return (
      <label className="choice">
        {name}
        <select value={value} onChange={(event) => choose(event.target.value)}>
          {option.values.map((each) => (
            <option key={each} value={each}>
              {shown(each)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <fieldset>
      <legend>{name}</legend>
      <div className="options small">
        {option.values.map((each) => (
          <Option
            key={each}
            group={option.name}
            label={shown(each)}
            checked={value === each}
            choose={() => choose(each)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  note: string;
  checked: boolean;
  set: (checked: boolean) => void;
}

function Switch({ label, note, checked, set }: SwitchProps) {
  return (
    <label className={checked ? "option checked" : "option"}>
      <input type="checkbox" checked={checked} onChange={(event) => set(event.target.checked)} />
      <span className="option-label">{label}</span>
      <span className="note">{note}; unrated</span>
    </label>
  );
}

/** How strong a level is, if that was measured. */
export function strength({ measured }: Level): string {
  if (!measured) return "";
  const { kind, score, low, high, games, against } = measured;
  const count = games.toLocaleString("en");
  if (kind === "points") {
    const percent = (share: number) => Math.round(100 * share);
    return `${percent(score)} % of points against ${against} (${percent(low)} to ${percent(high)}, ${count} games)`;
  }
  const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toPrecision(2)}`;
  return `scores ${signed(score)} against ${against} (${signed(low)} to ${signed(high)}, ${count} games)`;
}

interface OptionProps {
  group: string;
  label: string;
  note?: string;
  stars?: number;
  checked: boolean;
  choose: () => void;
}

function Option({ group, label, note, stars, checked, choose }: OptionProps) {
  return (
    <label className={checked ? "option checked" : "option"}>
      <input type="radio" name={group} checked={checked} onChange={choose} />
      <span className="option-label">
        {sentence(label)}
        {stars ? (
          <span className="stars" aria-hidden="true">
            {"●".repeat(stars)}
          </span>
        ) : null}
      </span>
      {note ? <span className="note">{note}</span> : null}
    </label>
  );
}
