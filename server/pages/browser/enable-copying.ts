const SHOWN_MS = 2000

/**
 * Gives every block of code in `root`, and every folded ticket, a button that copies it, unless it
 * has one.
 */
export function enableCopying(root: Element): void {
  for (const block of root.querySelectorAll('.code-block')) {
    const caption = block.querySelector('figcaption')
    if (caption === null || caption.querySelector('button') !== null) continue
    caption.append(copyButton(block, 'Copy'))
  }
  for (const ticket of root.querySelectorAll('.ticket')) {
    ticket.prepend(copyButton(ticket, 'Copy as Markdown'))
  }
}

function copyButton(block: Element, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button button-small'
  button.textContent = label
  let shown: ReturnType<typeof setTimeout> | undefined
  const say = (text: string) => {
    button.textContent = text
    clearTimeout(shown)
    shown = setTimeout(() => {
      button.textContent = label
    }, SHOWN_MS)
  }
  button.addEventListener('click', () => {
    const code = block.querySelector('code')?.textContent ?? ''
    navigator.clipboard.writeText(code).then(
      () => say('Copied'),
      () => say('Press Ctrl+C'),
    )
  })
  return button
}
