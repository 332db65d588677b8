import { Link } from "../../ui/link.tsx";
import styles from "../sign-in/sign-in.module.css";

export const ConnectHelp = () => (
  <p className={styles.aside}>
    <Link to="/docs/$" params={{ _splat: "connect-your-agent" }}>
      How to connect an app
    </Link>
  </p>
);
