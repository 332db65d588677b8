import { Navigate } from "@tanstack/react-router";
import { homeOf, useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import styles from "./landing.module.css";
import { LiveExample } from "./live-example.tsx";
import codeAndFado from "./poster-code-and-fado.webp";
import openingAssembly from "./poster-opening-assembly.webp";
import softwareThatLasts from "./poster-software-that-lasts.webp";
import { PublicHeader } from "./public-header.tsx";

/** What visitors see; people who are signed in go to the organization that they used last. */
export function LandingPage() {
  const session = useSession();
  usePageTitle("");
  if (session.person !== null) return <Navigate to={homeOf(session)} replace />;
  return (
    <div className={styles.page}>
      <PublicHeader>
        <Link to="/docs" quiet className={styles.headerLink}>
          Docs
        </Link>
        <ButtonLink to="/sign-in" size="small">
          Sign in
        </ButtonLink>
      </PublicHeader>
      <main id="main" tabIndex={-1}>
        <Opening />
        <Steps />
        <Example />
        <Audience />
      </main>
      <footer className={styles.footer}>
        <Link to="/docs" quiet>
          Documentation
        </Link>
        <Link to="/docs/$" params={{ _splat: "changelog" }} quiet>
          Changelog
        </Link>
        <a href="/openapi.json" className={styles.file}>
          OpenAPI
        </a>
        <span className={styles.version}>Version {session.version}</span>
      </footer>
    </div>
  );
}

function Opening() {
  return (
    <section className={styles.opening}>
      <div className={styles.pitch}>
        <h1 className={styles.headline}>
          <span>Agents do the work.</span> <span>You stay in charge.</span>
        </h1>
        <p className={styles.lead}>
          Conferences, their events and the events’ posters in one place. Agents post the posters, prepare the programme
          and look after guests. Every change they make to an event is shown first, has a reason and leaves a record.
        </p>
        <div className={styles.actions}>
          <ButtonLink to="/docs/$" params={{ _splat: "quick-start" }} kind="primary">
            Make your first call
          </ButtonLink>
          <ButtonLink to="/sign-in">Sign in</ButtonLink>
        </div>
      </div>
      <div className={styles.posters}>
        {posters.map(({ src, alt }) => (
          <img key={alt} src={src} alt={alt} width={560} height={700} className={styles.poster} />
        ))}
      </div>
    </section>
  );
}

const posters = [
  {
    src: openingAssembly,
    alt: "Poster: Opening Assembly, a pattern of green shapes above the names of three speakers",
  },
  { src: softwareThatLasts, alt: "Poster: Software That Lasts, large white letters on dark blue" },
  { src: codeAndFado, alt: "Poster: Code and Fado, large white letters on red" },
];

function Steps() {
  return (
    <section className={styles.section} aria-labelledby="how">
      <h2 id="how" className={styles.heading}>
        How it works
      </h2>
      <ol className={styles.steps}>
        {steps.map(({ title, text, link, page, section }, index) => (
          <li key={title} className={styles.step}>
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
            <Link to="/docs/$" params={{ _splat: page }} hash={section}>
              {link}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

const steps = [
  {
    title: "An agent posts",
    text: "It lists published posters over REST, downloads the image, posts it with a caption made from the metadata, and reports the link.",
    link: "The REST API",
    page: "api",
    section: "reporting-links",
  },
  {
    title: "An assistant prepares",
    text: "Over MCP it moves a session, adds a speaker or approves guests. Each change is shown as a preview first and committed once, with a reason.",
    link: "Connect your agent",
    page: "connect-your-agent",
    section: "making-a-change",
  },
  {
    title: "You look, decide, reshare",
    text: "In the console you see what was posted overnight, who is waiting for approval, and the record of every change. Owners create and revoke the keys.",
    link: "How keys work",
    page: "api",
    section: "keys",
  },
];

function Example() {
  return (
    <section className={styles.section} aria-labelledby="example">
      <div className={styles.split}>
        <div className={styles.pitch}>
          <h2 id="example" className={styles.heading}>
            It describes itself
          </h2>
          <p>
            One request, without a key, returns the whole API: endpoints, response shapes, tools, errors and limits.
            This is the beginning of what this installation answers right now.
          </p>
          <p>
            Agents read it to learn what they can do. People read the <Link to="/docs">documentation</Link>, which is
            made from the same declarations and sends requests for you.
          </p>
        </div>
        <LiveExample />
      </div>
    </section>
  );
}

function Audience() {
  return (
    <section className={styles.section} aria-labelledby="who">
      <h2 id="who" className={styles.heading}>
        Who it is for
      </h2>
      <dl className={styles.audience}>
        {audience.map(({ who, what }) => (
          <div key={who} className={styles.person}>
            <dt>{who}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const audience = [
  { who: "Hosts", what: "See every link that agents posted, and reshare it with two clicks." },
  { who: "Organizers", what: "Programme, speakers, guests and the run of show, with check-in at the door." },
  { who: "Developers", what: "A small REST API, MCP tools, OpenAPI, and errors that say what to do next." },
  { who: "Operators", what: "One process on Node, embedded or on PostgreSQL. Backup, metrics and audit included." },
];
