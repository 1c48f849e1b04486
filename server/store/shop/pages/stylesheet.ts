export const STYLESHEET = `
:root {
  --ink: #1d2721;
  --soft: #5a6860;
  --line: #d9dfda;
  --paper: #fbfcfa;
  --accent: #1f6b4a;
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
}
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
.price { font-size: 1.4rem; font-weight: 700; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; }
thead th { color: var(--soft); }
footer { margin-top: 3rem; border-top: 1px solid var(--line); }
`.trimStart()
