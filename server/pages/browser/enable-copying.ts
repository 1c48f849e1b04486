const SHOWN_MS = 2000

/** Gives every block of code in `root` a button that copies it. Blocks that have one keep it. */
export function enableCopying(root: Element): void {
  for (const block of root.querySelectorAll('.code-block')) {
    const caption = block.querySelector('figcaption')
    if (caption === null || caption.querySelector('button') !== null) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button button-small'
    button.textContent = 'Copy'
    button.addEventListener('click', () => {
      const code = block.querySelector('code')?.textContent ?? ''
      navigator.clipboard.writeText(code).then(
        () => say(button, 'Copied'),
        () => say(button, 'Press Ctrl+C'),
      )
    })
    caption.append(button)
  }
}

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text
  setTimeout(() => {
    button.textContent = 'Copy'
  }, SHOWN_MS)
}
