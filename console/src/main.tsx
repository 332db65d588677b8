import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shared.css";
import { showApp } from "./app.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
showApp(root);
