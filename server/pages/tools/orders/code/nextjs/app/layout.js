export default function RootLayout({ children }) {
  return (
    <html lang="en">
      <head>
        <script async src="https://aisle.example/attribution.js?id=prop_0123456789abcdefghij" />
      </head>
      <body>{children}</body>
    </html>
  )
}
