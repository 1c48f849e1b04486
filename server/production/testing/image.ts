import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, matchesGlob, relative } from 'node:path'
import { promisify } from 'node:util'
import {
  type Copy,
  DockerfileParser,
  type From,
  type Instruction,
  type ModifiableInstruction,
  type PropertyInstruction,
} from 'dockerfile-ast'
import type { PlainAccount } from './account.ts'

/*
 * Builds an image without Docker: each stage of a Dockerfile is a folder, which its instructions
 * fill. What this cannot do as Docker does it ends the build with a sentence. Known differences:
 * - commands see the machine's own programs (npm, a shell) beside those of the stage,
 * - they run as a plain user, so that none can change the machine,
 * - absolute paths are those of the stage, but for /bin, /dev, /etc, /proc and /usr/bin,
 * - `--chown`, EXPOSE and LABEL have no effect, and the account that USER names is a plain one.
 */

const run = promisify(execFile)

/** What a stage has become, and how its program is started. */
export interface Image {
  /** The folder that is `/` to the program. */
  root: string
  /** Absolute, below `root`. */
  workdir: string
  env: Record<string, string>
  user: string
  /** ENTRYPOINT, before the arguments of whoever runs it; empty where there is none. */
  entrypoint: string[]
  /** CMD. */
  command: string[]
  healthcheck: string[] | null
}

interface Building {
  dockerfile: string
  /** The folder that COPY copies from. */
  context: string
  /** An empty folder for the stages. */
  into: string
  /** The binary that stands for the image `node`. */
  node: { path: string; version: string }
  account: PlainAccount
  /** Stages that are left out, as BuildKit leaves out those that nothing asked for needs. */
  without?: readonly string[]
  /** What the machine's commands need to reach their registries. */
  env: Record<string, string | undefined>
}

/** Builds all stages and resolves to the last. */
export const buildImage = async (building: Building): Promise<Image> =>
  (await buildStages(building)).last

/** Builds all stages. Resolves to the last, and to all by their names. */
export async function buildStages(
  building: Building,
): Promise<{ last: Image; stages: ReadonlyMap<string, Image> }> {
  const file = DockerfileParser.parse(await readFile(building.dockerfile, 'utf8'))
  const stages = new Map<string, Image>()
  const args = new Map<string, string>()
  let image: Image | null = null
  let isLeftOut = false
  for (const instruction of file.getInstructions()) {
    const line = instruction.getRange().start.line + 1
    try {
      if (instruction.getKeyword() === 'FROM') {
        const name = (instruction as From).getBuildStage() ?? ''
        isLeftOut = building.without?.includes(name) ?? false
        if (isLeftOut) continue
        image = await startStage(instruction as From, { ...building, stages, args })
        continue
      }
      if (isLeftOut) continue
      if (instruction.getKeyword() === 'ARG') {
        for (const each of (instruction as PropertyInstruction).getProperties()) {
          args.set(each.getName(), expand(each.getValue() ?? args.get(each.getName()) ?? '', args))
        }
        continue
      }
      if (image === null) throw new Error('it stands before the first FROM')
      const perform = INSTRUCTIONS[instruction.getKeyword()]
      if (!perform) throw new Error('this instruction is not emulated')
      await perform(instruction, image, { ...building, stages, args })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`Dockerfile, line ${line}, ${instruction.getKeyword()}: ${why}`, { cause })
    }
  }
  if (image === null) throw new Error('The Dockerfile has no FROM.')
  return { last: image, stages }
}

interface Scene extends Building {
  stages: Map<string, Image>
  args: Map<string, string>
}

async function startStage(from: From, scene: Scene): Promise<Image> {
  const root = join(scene.into, `stage-${scene.stages.size}`)
  const name = from.getBuildStage() ?? String(scene.stages.size)
  const [reference = ''] = from.getExpandedArguments().map((each) => each.getValue())
  const base = scene.stages.get(reference)
  const image: Image = base
    ? { ...structuredClone(base), root, workdir: join(root, relative(base.root, base.workdir)) }
    : {
        root,
        workdir: root,
        env: {},
        user: 'root',
        entrypoint: [],
        command: ['node'],
        healthcheck: null,
      }
  scene.stages.set(name, image)
  if (base) await cp(base.root, root, { recursive: true, verbatimSymlinks: true })
  else await layNode(root, reference, scene.node)
  return image
}

/** The official image has its binary there, and little else that a program of ours needs. */
async function layNode(root: string, reference: string, node: Building['node']): Promise<void> {
  const [, wanted] =
    /^(?:docker\.io\/(?:library\/)?)?node:v?([\d.]+)(?:-|@|$)/.exec(reference) ?? []
  if (wanted === undefined)
    throw new Error(`the base image ${reference} is not emulated, only node:…`)
  if (!`${node.version}.`.startsWith(`${wanted}.`)) {
    throw new Error(
      `the image has Node ${wanted}, but the development dependency is ${node.version}`,
    )
  }
  const bin = join(root, 'usr/local/bin')
  await mkdir(bin, { recursive: true })
  await mkdir(join(root, 'tmp'))
  await copyFile(node.path, join(bin, 'node'), constants.COPYFILE_FICLONE)
  await chmod(join(bin, 'node'), 0o755)
}

type Perform = (instruction: Instruction, image: Image, scene: Scene) => Promise<void>

const INSTRUCTIONS: Record<string, Perform> = {
  WORKDIR: async (instruction, image, { args }) => {
    const path = expand(instruction.getArgumentsContent() ?? '', variables(image, args))
    image.workdir = placeIn(image, path)
    await mkdir(image.workdir, { recursive: true })
  },
  ENV: async (instruction, image, { args }) => {
    const before = variables(image, args)
    for (const each of (instruction as PropertyInstruction).getProperties()) {
      image.env[each.getName()] = expand(each.getValue() ?? '', before)
    }
  },
  USER: async (instruction, image) => {
    image.user = instruction.getArgumentsContent() ?? 'root'
  },
  COPY: async (instruction, image, scene) => copyInto(instruction as Copy, image, scene),
  RUN: async (instruction, image, scene) => {
    refuseFlags(instruction as ModifiableInstruction, [])
    const content = instruction.getArgumentsContent() ?? ''
    if (content.startsWith('<<')) throw new Error('a heredoc is not emulated')
    const [command = '', ...rest] = commandOf(content)
    await runIn(image, scene, command, rest)
  },
  ENTRYPOINT: async (instruction, image) => {
    image.entrypoint = commandOf(instruction.getArgumentsContent() ?? '')
    // What a base image has is for its own entry point (docs.docker.com/reference/dockerfile/#cmd).
    image.command = []
  },
  CMD: async (instruction, image) => {
    image.command = commandOf(instruction.getArgumentsContent() ?? '')
  },
  HEALTHCHECK: async (instruction, image) => {
    const [, command] = /^CMD\s+(.+)$/s.exec(instruction.getArgumentsContent() ?? '') ?? []
    image.healthcheck = command === undefined ? null : commandOf(command)
  },
  EXPOSE: async () => {},
  LABEL: async () => {},
  STOPSIGNAL: async (instruction) => {
    if (!/^(SIG)?TERM$/.test(instruction.getArgumentsContent() ?? '')) {
      throw new Error('only SIGTERM is emulated')
    }
  },
}

/** The exec form is a JSON array, and anything else is a line for the shell. */
function commandOf(content: string): string[] {
  try {
    const parts: unknown = JSON.parse(content)
    if (Array.isArray(parts)) return parts.map(String)
  } catch {
    // Docker, too, takes what is not JSON for the shell form.
  }
  return ['/bin/sh', '-c', content]
}

async function runIn(image: Image, scene: Scene, command: string, args: string[]): Promise<void> {
  const { account } = scene
  if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, image.root])
  const home = join(image.root, 'tmp')
  const rooted = args.map((each) => each.replace(ABSOLUTE, (path) => rootedPath(image.root, path)))
  try {
    await run(command, rooted, {
      cwd: image.workdir,
      env: { ...scene.env, HOME: home, ...environmentOf(image, scene.env.PATH ?? '') },
      maxBuffer: 64 * 2 ** 20,
      ...account,
    })
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    throw new Error(`${[command, ...rooted].join(' ')} failed: ${printed.slice(-2000)}`, {
      cause: error,
    })
  }
}

const ABSOLUTE = /(?<=^|[\s=:"'(])\/[\w@.+/-]*/g
const OF_MACHINE = /^\/(bin|dev|etc|proc|usr\/bin)(\/|$)/

const rootedPath = (root: string, path: string): string =>
  OF_MACHINE.test(path) ? path : join(root, path)

/** The variables of an image's programs: its own binaries come first. */
export const environmentOf = (image: Image, path = '/usr/bin:/bin'): Record<string, string> => ({
  ...image.env,
  PATH: `${join(image.root, 'usr/local/bin')}:${path}`,
})

const placeIn = (image: Image, path: string): string =>
  path.startsWith('/') ? join(image.root, path) : join(image.workdir, path)

async function copyInto(copy: Copy, image: Image, scene: Scene): Promise<void> {
  refuseFlags(copy, ['from', 'chown', 'chmod', 'link'])
  const content = copy.getArgumentsContent() ?? ''
  const named = variables(image, scene.args)
  const words = content.startsWith('[') ? commandOf(content) : content.split(/\s+/)
  const sources = words.map((word) => expand(word, named))
  const target = sources.pop() ?? ''
  const from = copy
    .getFlags()
    .find((flag) => flag.getName() === 'from')
    ?.getValue()
  const stage = from ? scene.stages.get(from) : null
  if (stage === undefined) throw new Error(`there is no stage ${from}`)
  const base = stage?.root ?? scene.context
  const isIgnored = stage ? () => false : await readIgnored(scene.context)
  const place = placeIn(image, target)
  const isFolder = target.endsWith('/') || sources.length > 1 || existsSync(place)
  for (const source of sources) {
    if (/[*?[]/.test(source)) throw new Error(`the wildcard in ${source} is not emulated`)
    const path = join(base, source)
    const entry = await stat(path)
    // A folder's content is copied, and a file goes into a folder under its own name.
    const to = entry.isDirectory() || !isFolder ? place : join(place, basename(source))
    await mkdir(dirname(to), { recursive: true })
    await cp(path, to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => !isIgnored(relative(base, each)),
    })
    const mode = copy
      .getFlags()
      .find((flag) => flag.getName() === 'chmod')
      ?.getValue()
    if (mode) await run('chmod', ['-R', mode, to])
  }
}

/** https://docs.docker.com/build/concepts/context/#dockerignore-files: the last match decides. */
async function readIgnored(context: string): Promise<(path: string) => boolean> {
  const text = await readFile(join(context, '.dockerignore'), 'utf8').catch(() => '')
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ ignored: !line.startsWith('!'), pattern: line.replace(/^!?\/?|\/$/g, '') }))
  if (rules.some(({ ignored }) => !ignored)) {
    throw new Error('an exception (!) in .dockerignore is not emulated')
  }
  return (path) => rules.some(({ pattern }) => matchesGlob(path, pattern))
}

function refuseFlags(instruction: ModifiableInstruction, known: readonly string[]): void {
  const flag = instruction.getFlags().find((each) => !known.includes(each.getName()))
  if (flag) throw new Error(`the flag ${flag.toString()} is not emulated`)
}

const variables = (image: Image, args: Map<string, string>): Map<string, string> =>
  new Map([...args, ...Object.entries(image.env)])

function expand(text: string, known: Map<string, string>): string {
  return text.replace(
    /\$(?:(\w+)|\{(\w+)\})/g,
    (_, plain, braced) => known.get(plain ?? braced) ?? '',
  )
}
