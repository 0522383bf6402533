export { html as xml } from "../report/html.js";
