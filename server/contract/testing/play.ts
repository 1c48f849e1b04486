import { happen } from './happen.ts'
import { differences, type Variables } from './match.ts'
import type { Row } from './read-contract.ts'
import type { Scene } from './scene.ts'
import type { Exchange, Step } from './steps.ts'
import type { Answer, World } from './world.ts'

/** Plays a row's steps in order. Throws at the first difference, with its line. */
export async function play(world: World, file: string, row: Row): Promise<void> {
  const name = `row-${row.line}`
  const scene: Scene = {
    variables: new Map([
      ['$row', name],
      ['$shop', `${name}.example`],
    ]),
    keys: new Map(),
    undo: [world.reset],
  }
  try {
    for (const step of row.steps) {
      const found = await playStep(world, step, scene).catch((error: unknown) => [String(error)])
      if (found.length > 0) {
        throw new Error(
          [`${file}:${row.line}: ${row.sentence}`, titleOf(step), ...found].join('\n  '),
        )
      }
    }
  } finally {
    for (const back of scene.undo.reverse()) await back()
  }
}

async function playStep(world: World, step: Step, scene: Scene): Promise<string[]> {
  if (step.kind === 'exchange') return exchangeDifferences(world, step, scene)
  if (step.kind === 'told') return toldDifferences(world, step, scene.variables)
  await happen(world, step.text, scene)
  return []
}

const titleOf = (step: Step): string => {
  if (step.kind === 'given') return `* ${step.text}`
  if (step.kind === 'told') return `! ${step.what}`
  return [`${step.method} ${step.target}`, step.body ?? ''].join('\n  ')
}

async function exchangeDifferences(
  world: World,
  exchange: Exchange,
  scene: Scene,
): Promise<string[]> {
  for (let time = 1; time <= exchange.times; time += 1) {
    const answer = await world.ask(exchange, scene)
    const found = answerDifferences(answer, exchange, scene.variables)
    if (found.length > 0)
      return [...found, `answer ${time}: ${answer.status} ${answer.text.slice(0, 1000)}`]
  }
  return []
}

function answerDifferences(
  { status, headers, text }: Answer,
  { status: wanted, type, expectedHeaders, expected }: Exchange,
  variables: Variables,
): string[] {
  const said = headers['content-type'] ?? ''
  return [
    ...differences(status, wanted, variables, 'status'),
    ...(text === '' || String(said).split(';')[0] === type
      ? []
      : [`Content-Type is ${said}, expected ${type}`]),
    ...Object.entries(expectedHeaders).flatMap(([name, value]) =>
      differences(headers[name], value, variables, name),
    ),
    ...(expected === null ? [] : bodyDifferences(text, expected, variables)),
  ]
}

function bodyDifferences(text: string, expected: string, variables: Variables): string[] {
  try {
    return differences(JSON.parse(text), JSON.parse(expected), variables)
  } catch (error) {
    return [`The body cannot be compared: ${error}`]
  }
}

/** `nothing`: no further event was received. */
async function toldDifferences(
  world: World,
  { what, expected }: Extract<Step, { kind: 'told' }>,
  variables: Variables,
): Promise<string[]> {
  const told = what === 'event' ? world.nextEvent() : await world.nextWebhook()
  if (expected !== 'nothing') return differences(told, JSON.parse(expected), variables, what)
  return told === undefined ? [] : [`${what} ${JSON.stringify(told)}, expected nothing`]
}
