/** A scene that cannot be clicked: a thumbnail. */
import { memo } from "react";
import { extent } from "./geometry";
import { colour, marks } from "./marks";
import type { Scene } from "./types";

export const Picture = memo(function Picture({ scene }: { scene: Scene }) {
  const { x, y, width, height } = extent(scene);
  const numbered = scene.shapes.map((shape, number) => [number, shape] as const);
  return (
    <svg className="picture" viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
      <rect width={scene.width} height={scene.height} rx={0.1} fill={colour(scene.ground)} />
      {numbered.map(([number, shape]) =>
        shape.opacity === 0 ? null : (
          <g key={number} opacity={shape.opacity}>
            {marks(shape)}
          </g>
        ),
      )}
    </svg>
  );
});
