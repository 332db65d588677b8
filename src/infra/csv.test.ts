import { expect, it } from "vitest";
import { csvLine } from "./csv.js";

it.each([
  [["Ana", "ana@example.com", null], "Ana,ana@example.com,\r\n"],
  [['Ana "The Bee" Silva', "a,b"], '"Ana ""The Bee"" Silva","a,b"\r\n'],
  [["two\nlines", "two\r\nlines"], '"two\nlines","two\r\nlines"\r\n'],
  [["=1+1", "+49 30 1", "-2", "@sum(a)"], "'=1+1,'+49 30 1,'-2,'@sum(a)\r\n"],
  [["\t=1", "\rx", " =cmd|' /C calc'!A0"], `'\t=1,"'\rx",' =cmd|' /C calc'!A0\r\n`],
  [["＝1+1", '=HYPERLINK("http://x","y")'], `'＝1+1,"'=HYPERLINK(""http://x"",""y"")"\r\n`],
  [["a=b", "1-2", "me@example.com", "Łukasz 王"], "a=b,1-2,me@example.com,Łukasz 王\r\n"],
])("writes %j", (values, line) => {
  expect(csvLine(values)).toBe(line);
});
