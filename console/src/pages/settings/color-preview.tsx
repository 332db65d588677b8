import { accentFor, contrast } from "../../styles/accent.ts";
import { Status } from "../../ui/badge.tsx";
import styles from "./settings.module.css";

const themes = [
  { theme: "light", title: "Light", page: "#faf9f7", text: "#211d19" },
  { theme: "dark", title: "Dark", page: "#171513", text: "#f2eee8" },
] as const;

/** How the console uses a colour in both themes, and whether it had to change it to stay readable. */
export function ColorPreview({ color }: { color: string }) {
  return (
    <section className={styles.previews} aria-label="Preview of the main colour">
      {themes.map(({ theme, title, page, text }) => {
        const accent = accentFor(color, theme);
        return (
          <div key={theme} className={styles.preview} style={{ background: page, color: text, colorScheme: theme }}>
            <span className="tiny medium">{title}</span>
            {accent === undefined ? (
              <span>Our own blue</span>
            ) : (
              <span className={styles.sample} style={{ background: accent.fill, color: accent.on }}>
                Publish poster
              </span>
            )}
            <Verdict color={color} fill={accent?.fill} page={page} />
          </div>
        );
      })}
    </section>
  );
}

function Verdict({ color, fill, page }: { color: string; fill: string | undefined; page: string }) {
  if (fill === undefined) return <Status tone="warning">Not readable here, so it is not used</Status>;
  const ratio = contrast(fill, page).toFixed(1);
  if (fill.toLowerCase() === color.toLowerCase()) return <Status tone="success">Contrast {ratio} : 1</Status>;
  return (
    <Status tone="accent">
      Adjusted to {fill}, {ratio} : 1
    </Status>
  );
}
