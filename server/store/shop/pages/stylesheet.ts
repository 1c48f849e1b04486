export const STYLESHEET = `
:root {
  --ink: #1d2721;
  --soft: #5a6860;
  --line: #d9dfda;
  --paper: #fbfcfa;
  --accent: #1f6b4a;
  --field: #7d8a82;
  --wrong: #a12b1b;
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 72rem;
  padding: 0 1.25rem 3rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
a { color: var(--accent); }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.5rem 0 0.75rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 1rem; }
nav { margin: 1rem 0; }
img { max-width: 100%; height: auto; border-radius: 6px; }
.masthead { display: flex; gap: 1.5rem; align-items: center; border-bottom: 1px solid var(--line); }
.masthead p { color: var(--soft); }
.brand {
  display: flex;
  gap: 0.6rem;
  align-items: center;
  padding: 1rem 0;
  color: inherit;
  font-weight: 700;
  text-decoration: none;
  white-space: nowrap;
  flex: none;
}
.brand img { max-width: none; }
.departments { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; padding: 0; list-style: none; }
.shelf {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
  gap: 1.5rem;
  padding: 0;
  list-style: none;
}
.shelf a { color: inherit; text-decoration: none; }
.shelf a:hover strong { text-decoration: underline; }
.shelf strong, .shelf span { display: block; }
.shelf span, footer { color: var(--soft); font-size: 0.9rem; }
.product { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 2rem; margin: 1rem 0; }
.product h1 { margin-top: 0; }
.product td a { white-space: nowrap; }
.buy { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; margin: 1rem 0 1.5rem; }
.buy .field { flex: 1 1 6rem; }
.buy .button { margin: 0; }
.masthead .basket { margin-left: auto; }
.price { font-size: 1.4rem; font-weight: 700; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; }
thead th { color: var(--soft); }
footer { margin-top: 3rem; border-top: 1px solid var(--line); }
.checkout { display: grid; gap: 1.5rem 3rem; align-items: start; }
@media (min-width: 52rem) {
  .checkout { grid-template-columns: minmax(0, 3fr) minmax(18rem, 2fr); }
  .summary { position: sticky; top: 1rem; }
}
.checkout fieldset {
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0.75rem 1rem;
  margin: 0 0 2rem;
  padding: 0;
  border: 0;
}
.checkout legend { padding: 0; margin-bottom: 0.75rem; font-size: 1.2rem; font-weight: 700; }
.checkout fieldset > * { grid-column: 1 / -1; }
.checkout fieldset > p { margin: 0; }
@media (min-width: 30rem) {
  .checkout :is(.field-city, .field-state, .field-zip, .field-country) { grid-column: auto; }
}
.field label { display: block; margin-bottom: 0.2rem; color: var(--soft); font-size: 0.9rem; }
.field input, .field select, .card {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--field);
  border-radius: 6px;
  background: #fff;
  color: inherit;
  font: inherit;
}
.field [aria-invalid] { border-color: var(--wrong); }
.fault { margin: 0.25rem 0 0; color: var(--wrong); font-size: 0.9rem; }
.fault:empty { display: none; }
.choices { border: 1px solid var(--line); border-radius: 6px; background: #fff; }
.choices label { display: flex; gap: 0.75rem; align-items: baseline; padding: 0.75rem; cursor: pointer; }
.choices label + label { border-top: 1px solid var(--line); }
.choices span:last-child:not(:only-of-type) { margin-left: auto; white-space: nowrap; }
.choices input { accent-color: var(--accent); }
.summary { padding: 1.25rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
.summary h2 { margin-top: 0; }
.summary td { padding-right: 0; text-align: right; white-space: nowrap; vertical-align: top; }
.summary tfoot tr:not(.total) > * { border-bottom: 0; }
.summary .total > * { border-top: 1px solid var(--line); border-bottom: 0; font-size: 1.15rem; font-weight: 700; }
.checkout button, .button {
  display: block;
  width: 100%;
  margin-top: 0.75rem;
  padding: 0.75rem 1.25rem;
  border: 1px solid var(--accent);
  border-radius: 6px;
  background: var(--accent);
  color: #fff;
  font: inherit;
  font-weight: 700;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button { display: inline-block; width: auto; }
.checkout button.second { background: #fff; color: var(--accent); }
.notice { padding: 0.75rem 1rem; border-left: 4px solid var(--accent); background: #eef4f0; }
.notice.wrong { border-color: var(--wrong); background: #fbeeec; }
.small { color: var(--soft); font-size: 0.9rem; }
:focus-visible { outline: 3px solid #7db79b; outline-offset: 2px; }
`.trimStart()
