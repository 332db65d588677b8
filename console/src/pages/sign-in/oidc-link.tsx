import { addressOf } from "../../api/client.ts";
import styles from "./sign-in.module.css";

type Props = {
  label: string;
  returnTo: string | undefined;
  /** Where the page has something that a navigation would lose. */
  inNewWindow?: boolean;
};

/** A full navigation: the service redirects to the identity provider. */
export function OidcLink({ label, returnTo, inNewWindow = false }: Props) {
  return (
    <>
      <div className={styles.or}>or</div>
      <a
        className={styles.oidc}
        href={addressOf("startOidc", { query: { return_to: returnTo } })}
        {...(inNewWindow ? { target: "_blank" } : {})}
      >
        Continue with {label}
        {inNewWindow && <span className="visually-hidden"> in a new window</span>}
      </a>
    </>
  );
}
