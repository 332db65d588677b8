import { newHashes } from "../../src/sign-in/password-hashes.js";

// Set-up file of all projects: what is tested is rarely how long a guess takes.
newHashes.cost = 16;
