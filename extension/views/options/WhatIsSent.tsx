import { useApp } from '../app/app-state.ts'

const ROWS = ['connect', 'page', 'store', 'walk', 'manifest', 'report'] as const

/** What leaves the computer, and when: the promise that the rest of the code keeps. */
export function WhatIsSent() {
  const { text } = useApp()
  return (
    <section class="card">
      <h2>{text('options_data_title')}</h2>
      <table class="stacked">
        <caption class="sr-only">{text('options_data_caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{text('options_data_when')}</th>
            <th scope="col">{text('options_data_what')}</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row) => (
            <tr key={row}>
              <th scope="row">{text(`options_data_${row}`)}</th>
              <td>{text(`options_data_${row}_what`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{text('options_data_else')}</p>
    </section>
  )
}
