import { addressOf } from "../../api/client.ts";
import styles from "./sign-in.module.css";

/** A full navigation: the service redirects to the identity provider. */
export function OidcLink({ label, returnTo }: { label: string; returnTo: string | undefined }) {
  return (
    <>
      <div className={styles.or}>or</div>
      <a className={styles.oidc} href={addressOf("startOidc", { query: { return_to: returnTo } })}>
        Continue with {label}
      </a>
    </>
  );
}
