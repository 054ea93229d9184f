/** A scene that can be clicked, touched and used by keyboard. It knows nothing of any game. */
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { area, boxesOfKeys, boxOf, centre, extent, nearestKey, nextKey, regionOf, union } from "./geometry";
import { colour, marks } from "./marks";
import type { Box, Point, Scene, Shape, Spot } from "./types";
import { useZoom } from "./zoom";

const GLIDE = 220; // milliseconds in which things move
const FLASH = 900; // milliseconds in which changes are marked
const FINGER = 22; // pixels beside a key that still mean the key
const SMALL = 26; // pixels of a cell below which a board offers to zoom
const DOCKED = 560; // pixels below which the regions of a scene are shown one below the other
const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export interface BoardProps {
  scene: Scene;
  /** Keys that can be chosen now, with what a screen reader says of each. */
  live?: Map<string, string>;
  chosen?: string[];
  onKey?: (key: string) => void;
  /** Whether changes since the last scene are marked: somebody else made them. */
  flash?: boolean;
  describedBy?: string;
}

const NONE = new Map<string, string>();

/** A scene; on a narrow screen its regions are docked one below the other. */
export function Board(props: BoardProps) {
  const [frame, width] = useWidth();
  const { scene } = props;
  const regions = scene.regions ?? [];
  const docked = width > 0 && width < DOCKED && regions.length > 1;
  const parts = useMemo(() => (docked ? split(scene) : [{ name: "", scene, box: extent(scene) }]), [scene, docked]);
  return (
    <div className={docked ? "boards docked" : "boards"} ref={frame}>
      {parts.map((part) => (
        <Sheet
          {...props}
          key={part.name}
          scene={part.scene}
          box={part.box}
          name={part.name}
          small={width > 0 && width / part.box.width < SMALL}
        />
      ))}
    </div>
  );
}

/** The regions of a scene as scenes of their own. */
function split(scene: Scene): { name: string; scene: Scene; box: Box }[] {
  const regions = scene.regions ?? [];
  const shapes = new Map(regions.map((region) => [region, [] as Shape[]]));
  for (const shape of scene.shapes) {
    const region = regionOf(shape, regions);
    if (region) shapes.get(region)?.push(shape);
  }
  return regions.map((region) => ({
    name: region.name,
    scene: { ...scene, shapes: shapes.get(region) ?? [] },
    box: region,
  }));
}

function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [frame, width];
}

interface SheetProps extends BoardProps {
  /** Whether the cells are too small for a finger. */
  small: boolean;
  box: Box;
  name: string;
}

function Sheet({ scene, box, name, small, live = NONE, chosen = [], onKey, flash = false, describedBy }: SheetProps) {
  const svg = useRef<SVGSVGElement>(null);
  const boxes = useMemo(() => boxesOfKeys(scene.shapes), [scene]);
  const lit = useMemo(() => livingBoxes(boxes, live), [boxes, live]);
  const [focus, setFocus] = useState("");
  const { view, zoomed, show, reset, handlers } = useZoom(svg, box);
  useGlide(svg, scene);
  const changed = useChanges(scene, flash);
  const current = lit.has(focus) ? focus : (lit.keys().next().value ?? "");

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    const key = (event.target as Element).getAttribute("data-live") ?? current;
    if (direction) {
      event.preventDefault();
      const next = nextKey(lit, key, direction);
      if (next !== undefined) {
        setFocus(next);
        svg.current?.querySelector<SVGElement>(`[data-live="${CSS.escape(next)}"]`)?.focus();
      }
    } else if ((event.key === "Enter" || event.key === " ") && key && onKey) {
      event.preventDefault();
      setFocus(key);
      onKey(key);
    }
  };
  const onClick = (event: PointerEvent | React.MouseEvent) => {
    if (!onKey) return;
    const own = (event.target as Element).closest("[data-key]")?.getAttribute("data-key");
    const touched = own && (live.has(own) || chosen.includes(own)) ? own : near(svg.current, lit, event);
    const key = touched ?? own;
    if (key) {
      setFocus(key);
      onKey(key);
    } else if (chosen.length > 0) onKey("");
  };
  return (
    <figure className={`board ${name}`} style={{ "--ratio": box.width / box.height } as React.CSSProperties}>
      {/* biome-ignore lint/a11y/useSemanticElements: a board of buttons has no element of its own */}
      <svg
        ref={svg}
        viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        role="group"
        aria-label={name || scene.title || "Board"}
        aria-describedby={describedBy}
        className={zoomed ? "zoomed" : undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        {...handlers}
      >
        <Ground scene={scene} />
        <g className="shapes" aria-hidden="true">
          {named(scene.shapes).map(([id, shape]) => (
            <Mark key={id} id={id} shape={shape} />
          ))}
        </g>
        <g className="changes" aria-hidden="true">
          {changed.map((each) => (
            <rect key={`${each.x},${each.y},${each.width}`} {...grown(each, 0.02)} rx={0.12} />
          ))}
        </g>
        <Overlay boxes={boxes} lit={lit} live={live} chosen={chosen} current={current} onFocus={setFocus} />
      </svg>
      {zoomed ? (
        <button type="button" className="fit" onClick={reset}>
          Show all
        </button>
      ) : small && lit.size > 0 ? (
        <button
          type="button"
          className="fit"
          onClick={() => show(grown([...lit.values()].flat<Box[][]>().reduce(union), 0.8))}
        >
          Zoom in
        </button>
      ) : null}
    </figure>
  );
}

/** A name for every shape that stays from scene to scene, so the browser keeps its element. */
function named(shapes: Shape[]): [string, Shape][] {
  const seen = new Map<string, number>();
  return shapes.map((shape) => {
    const base = shape.thing ? `${shape.thing}/${shape.kind}` : `${shape.kind}`;
    const number = seen.get(base) ?? 0;
    seen.set(base, number + 1);
    return [`${base}/${number}`, shape];
  });
}

/** The boxes of live keys, the largest first, so small ones lie on top. */
function livingBoxes(boxes: Map<string, Spot[]>, live: Map<string, string>): Map<string, Spot[]> {
  const size = ([first]: Spot[]) => (first ? area(first) : 0);
  const found = [...boxes].filter(([key]) => live.has(key));
  return new Map(found.sort(([, a], [, b]) => size(b) - size(a)));
}

function near(svg: SVGSVGElement | null, lit: Map<string, Spot[]>, event: { clientX: number; clientY: number }) {
  const matrix = svg?.getScreenCTM();
  if (!matrix) return undefined;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return nearestKey(lit, [x, y], FINGER / matrix.a);
}

const grown = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

/** The frame of a highlight: along the shape that fills the place, or around all of it. */
function Frame({
  spot,
  children,
  ...rest
}: { spot: Spot } & React.SVGProps<SVGElement> & Record<`data-${string}`, string>) {
  const { outline } = spot;
  const given = rest as Record<string, unknown>;
  if (outline?.kind === "Polygon") {
    return (
      <polygon points={outline.points.join(" ")} strokeLinejoin="round" {...given}>
        {children}
      </polygon>
    );
  }
  if (outline?.kind === "Disc") {
    return (
      <circle cx={outline.x} cy={outline.y} r={outline.radius} {...given}>
        {children}
      </circle>
    );
  }
  return (
    <rect {...grown(spot, -0.02)} rx={Math.min(0.14, spot.width / 3, spot.height / 3)} {...given}>
      {children}
    </rect>
  );
}

const Ground = memo(function Ground({ scene }: { scene: Scene }) {
  const { width, height } = scene;
  const lines: string[] = [];
  for (let x = 1; x < width; x++) lines.push(`M${x},0V${height}`);
  for (let y = 1; y < height; y++) lines.push(`M0,${y}H${width}`);
  return (
    <g className="ground" aria-hidden="true">
      <rect width={width} height={height} rx={0.1} fill={colour(scene.ground)} />
      <path d={lines.join("")} stroke={colour("grid")} strokeWidth={0.025} />
    </g>
  );
});

const Mark = memo(
  function Mark({ id, shape }: { id: string; shape: Shape }) {
    const { key, thing, tip, opacity = 1 } = shape;
    if (opacity === 0 && !key && !tip) return null;
    return (
      <g
        className={`shape ${shape.kind} ${shape.role}`}
        data-key={key || undefined}
        data-thing={thing ? id : undefined}
        opacity={opacity < 1 ? opacity : undefined}
      >
        {tip ? <title>{tip}</title> : null}
        {marks(shape)}
      </g>
    );
  },
  (before, after) => JSON.stringify(before.shape) === JSON.stringify(after.shape),
);

interface OverlayProps {
  boxes: Map<string, Spot[]>;
  lit: Map<string, Spot[]>;
  live: Map<string, string>;
  chosen: string[];
  current: string;
  onFocus: (key: string) => void;
}

/** Highlights above the shapes, since an invisible tile hides its own stroke; they take the clicks. */
function Overlay({ boxes, lit, live, chosen, current, onFocus }: OverlayProps) {
  const look = (key: string) => (chosen.includes(key) ? "live chosen" : "live");
  return (
    <g className="overlay">
      {[...lit].flatMap(([key, [first, ...more]]) => [
        ...more.map((spot) => (
          <Frame
            key={`${key}/${spot.x},${spot.y}`}
            spot={spot}
            className={look(key)}
            data-key={key}
            aria-hidden="true"
          />
        )),
        first ? (
          <Frame
            key={key}
            spot={first}
            className={look(key)}
            role="button"
            aria-label={live.get(key)}
            aria-pressed={chosen.includes(key) ? true : undefined}
            tabIndex={key === current ? 0 : -1}
            data-key={key}
            data-live={key}
            onFocus={() => onFocus(key)}
          >
            <title>{live.get(key)}</title>
          </Frame>
        ) : null,
      ])}
      {chosen
        .filter((key) => !lit.has(key))
        .flatMap((key) =>
          (boxes.get(key) ?? []).map((spot) => (
            <Frame key={`${key}/${spot.x},${spot.y}`} spot={spot} className="chosen" data-key={key} />
          )),
        )}
    </g>
  );
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Lets things that have moved since the last scene glide to their places, and new ones appear. */
function useGlide(svg: React.RefObject<SVGSVGElement | null>, scene: Scene) {
  const before = useRef<Map<string, Box>>(undefined);
  useLayoutEffect(() => {
    const things = named(scene.shapes).filter(([, shape]) => shape.thing);
    const now = new Map(things.map(([id, shape]) => [id, boxOf(shape)]));
    const then = before.current;
    before.current = now;
    if (!then || then.size === 0 || still()) return;
    for (const element of svg.current?.querySelectorAll<SVGGElement>("[data-thing]") ?? []) {
      const id = element.getAttribute("data-thing") ?? "";
      const [from, to] = [then.get(id), now.get(id)];
      if (!to) continue;
      const timing = { duration: GLIDE, easing: "cubic-bezier(.3,.7,.3,1)" };
      if (!from) {
        element.animate([{ opacity: 0 }, {}], timing);
        continue;
      }
      const [[x, y], [toX, toY]] = [centre(from), centre(to)];
      const [dx, dy] = [x - toX, y - toY];
      if (Math.hypot(dx, dy) > 0.02) {
        element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], timing);
      }
    }
  }, [scene, svg]);
}

/** The boxes of shapes that are new since the last scene, for a moment. */
function useChanges(scene: Scene, flash: boolean): Box[] {
  const before = useRef<Scene>(undefined);
  const [changed, setChanged] = useState<Box[]>([]);
  useEffect(() => {
    const then = before.current;
    before.current = scene;
    if (!then || !flash || then === scene) return;
    const known = new Set(then.shapes.map((shape) => JSON.stringify(shape)));
    const fresh = scene.shapes.filter(
      (shape) => shape.opacity !== 0 && shape.kind !== "Path" && !known.has(JSON.stringify(shape)),
    );
    const whole = new Map<string, Box>(); // a thing is pointed at as a whole
    for (const shape of scene.shapes) {
      const known = shape.thing ? whole.get(shape.thing) : undefined;
      if (shape.thing) whole.set(shape.thing, known ? union(known, boxOf(shape)) : boxOf(shape));
    }
    const boxes = fresh.map((shape) => whole.get(shape.thing ?? "") ?? boxOf(shape));
    const unique = new Map(boxes.map((box) => [`${box.x},${box.y},${box.width}`, box]));
    if (unique.size === 0 || unique.size > 40) return; // all of it is new: there is nothing to point at
    setChanged([...unique.values()]);
    const timer = setTimeout(() => setChanged([]), FLASH);
    return () => clearTimeout(timer);
  }, [scene, flash]);
  return changed;
}
