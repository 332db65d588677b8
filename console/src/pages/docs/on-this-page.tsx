import { Fragment, useEffect, useState } from "react";
import type { Heading } from "../../../plugins/guide.ts";
import styles from "./docs.module.css";

/** The sections of a page, with the one that is being read marked. */
export function OnThisPage({ headings }: { headings: Heading[] }) {
  const shown = headings.filter(({ level }) => level === 2);
  const current = useCurrentHeading(shown);
  if (shown.length < 2) return null;
  return (
    <nav className={styles.contents} aria-label="On this page">
      <h2 className={styles.contentsTitle}>On this page</h2>
      <ul>
        {shown.map(({ id, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={styles.contentsLink}
              {...(id === current ? { "aria-current": "location" } : {})}
            >
              <Breakable text={text} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Names of tools are long and narrow columns break them: after an underscore, not within a word. */
const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

function useCurrentHeading(headings: Heading[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  const ids = headings.map(({ id }) => id).join(" ");
  useEffect(() => {
    const elements = ids.split(" ").flatMap((id) => document.getElementById(id) ?? []);
    const update = () => {
      const passed = elements.filter((element) => element.getBoundingClientRect().top < 140);
      setCurrent((passed.at(-1) ?? elements[0])?.id);
    };
    // Called when a heading enters or leaves the upper part of the window, not with every pixel.
    const observer = new IntersectionObserver(update, { rootMargin: "-139px 0px 0px" });
    for (const element of elements) observer.observe(element);
    return () => observer.disconnect();
  }, [ids]);
  return current;
}
