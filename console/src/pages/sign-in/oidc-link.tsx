import styles from "./sign-in.module.css";

/** A full navigation: the service redirects to the identity provider. */
export function OidcLink({ label, returnTo }: { label: string; returnTo: string | undefined }) {
  const query = returnTo === undefined ? "" : `?${new URLSearchParams({ return_to: returnTo })}`;
  return (
    <>
      <div className={styles.or}>or</div>
      <a className={styles.oidc} href={`/api/console/sign-in/oidc${query}`}>
        Continue with {label}
      </a>
    </>
  );
}
