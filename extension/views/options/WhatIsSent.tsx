const ROWS = [
  {
    when: 'test the connection',
    sent: 'Your key, to your server.',
  },
  {
    when: 'audit a page',
    sent: 'Nothing. The page is only fetched once more from its own store, without cookies.',
  },
  {
    when: 'ask for an audit of a store',
    sent: 'Its domain name and your key, to your server.',
  },
  {
    when: 'walk a purchase',
    sent: 'Its domain name and your key, to your server, which opens checkouts in the store and cancels them. To show how it goes on, also when you come back, your server is asked for the walk by its id.',
  },
  {
    when: 'open Manifest, create or validate a file',
    sent: 'The open store is asked for its own file. What you create is sent with your key to your server, as is the address of a published file; without a server, nothing. A pasted file is not sent.',
  },
  {
    when: 'open Report',
    sent: 'Your key, the range and the domain, to your server: immediately for the storefronts of your key, otherwise when you ask.',
  },
]

/** What leaves the computer, and when: the promise that the rest of the code keeps. */
export function WhatIsSent() {
  return (
    <section class="card">
      <h2>What is sent, and when</h2>
      <table class="stacked whole-names">
        <caption class="sr-only">Data that leaves this computer</caption>
        <thead>
          <tr>
            <th scope="col">When you</th>
            <th scope="col">this is sent</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ when, sent }) => (
            <tr key={when}>
              <th scope="row">{when}</th>
              <td>{sent}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">There is no telemetry, and nothing else is sent to anyone.</p>
    </section>
  )
}
