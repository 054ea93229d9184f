/** Zooming into a board: by wheel with Ctrl, by two fingers; a zoomed board is dragged. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Box } from "./types";

const MOST = 5; // how many times larger

export function useZoom(sheet: RefObject<HTMLElement | null>, whole: Box) {
  const [zoom, setZoom] = useState({ scale: 1, x: 0, y: 0 });
  const fingers = useRef(new Map<number, [number, number]>());
  const dragged = useRef(0);
  const size = { width: whole.width / zoom.scale, height: whole.height / zoom.scale };
  const clamp = (value: number, room: number) => Math.min(Math.max(value, 0), room);
  const view: Box = { x: whole.x + zoom.x, y: whole.y + zoom.y, ...size };

  /** Zoom so that the point of the board below a place of the screen stays there. */
  const zoomAt = (clientX: number, clientY: number, by: number) => {
    const frame = sheet.current?.getBoundingClientRect();
    if (!frame) return;
    const [across, down] = [(clientX - frame.left) / frame.width, (clientY - frame.top) / frame.height];
    setZoom((old) => {
      const scale = clamp(old.scale * by - 1, MOST - 1) + 1;
      const grow = (length: number) => length / old.scale - length / scale;
      return {
        scale,
        x: clamp(old.x + across * grow(whole.width), whole.width * (1 - 1 / scale)),
        y: clamp(old.y + down * grow(whole.height), whole.height * (1 - 1 / scale)),
      };
    });
  };
  const pan = (dx: number, dy: number) => {
    const frame = sheet.current?.getBoundingClientRect();
    if (!frame) return;
    setZoom((old) => ({
      scale: old.scale,
      x: clamp(old.x - (dx / frame.width) * (whole.width / old.scale), whole.width * (1 - 1 / old.scale)),
      y: clamp(old.y - (dy / frame.height) * (whole.height / old.scale), whole.height * (1 - 1 / old.scale)),
    }));
  };

  const latest = useRef(zoomAt);
  latest.current = zoomAt;
  useEffect(() => {
    const element = sheet.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return; // an ordinary wheel scrolls the page
      event.preventDefault();
      latest.current(event.clientX, event.clientY, Math.exp(-event.deltaY / 300));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [sheet]);

  const onPointerDown = (event: PointerEvent) => {
    fingers.current.set(event.pointerId, [event.clientX, event.clientY]);
    dragged.current = 0;
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    const others = [...fingers.current].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    fingers.current.set(event.pointerId, [event.clientX, event.clientY]);
    dragged.current += Math.abs(dx) + Math.abs(dy);
    if (other) {
      const far = (x: number, y: number) => Math.hypot(x - other[0], y - other[1]) || 1;
      const by = far(event.clientX, event.clientY) / far(...before);
      zoomAt((event.clientX + other[0]) / 2, (event.clientY + other[1]) / 2, by);
    } else if (zoom.scale > 1) pan(dx, dy);
  };
  const lift = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  const onClickCapture = (event: React.MouseEvent) => {
    if (zoom.scale > 1 && dragged.current > 8) event.stopPropagation(); // a drag is no click
  };
  /** Show a part as large as it fits, but not larger than four times. */
  const show = (part: Box) => {
    const scale = Math.max(1, Math.min(4, whole.width / part.width, whole.height / part.height));
    const place = (from: number, length: number, start: number, all: number) =>
      clamp(from + length / 2 - start - all / scale / 2, all * (1 - 1 / scale));
    setZoom({
      scale,
      x: place(part.x, part.width, whole.x, whole.width),
      y: place(part.y, part.height, whole.y, whole.height),
    });
  };
  return {
    view,
    show,
    zoomed: zoom.scale > 1.01,
    reset: () => setZoom({ scale: 1, x: 0, y: 0 }),
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: lift,
      onPointerCancel: lift,
      onPointerLeave: lift,
      onClickCapture,
    },
  };
}
