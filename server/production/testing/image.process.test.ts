import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPlainAccount } from './account.ts'
import { buildImage } from './image.ts'

/** Builds a Dockerfile over a small context; the folder goes with the test. */
async function build(dockerfile: string, version = '26.10.0') {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-image-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Root's folders are closed to the plain user that runs the commands.
  await chmod(folder, 0o755)
  const [context, into, node] = [
    join(folder, 'context'),
    join(folder, 'stages'),
    join(folder, 'node'),
  ]
  await mkdir(join(context, 'src'), { recursive: true })
  await mkdir(join(context, 'left-out'))
  await mkdir(into)
  await writeFile(node, '#!/bin/sh\necho "a node"\n')
  await writeFile(join(context, 'a.txt'), 'a')
  await writeFile(join(context, 'src/b.txt'), 'b')
  await writeFile(join(context, 'left-out/c.txt'), 'c')
  await writeFile(join(context, '.dockerignore'), '# comment\nleft-out\n')
  await writeFile(join(context, 'Dockerfile'), dockerfile)
  return buildImage({
    dockerfile: join(context, 'Dockerfile'),
    context,
    into,
    node: { path: node, version },
    account: await findPlainAccount(),
    env: { PATH: process.env.PATH },
  })
}

test('stages become folders, and the last says how its program starts', async () => {
  const image = await build(`ARG TAG=26-bookworm
FROM --platform=linux/amd64 node:\${TAG}-slim AS build
WORKDIR /app
ENV GREETING=hello NAME="two words"
COPY . .
RUN node > made.txt && \\
  # why
  echo "$GREETING $NAME" >> /app/made.txt
FROM node:26@sha256:0123
WORKDIR /srv
WORKDIR app
ENV A=1
ENV B=\${A}2
COPY --from=build /app/made.txt /app/src ./
COPY a.txt renamed.txt
RUN mkdir -p /usr/local/bin && ln -s /srv/app/made.txt /usr/local/bin/made
USER node
HEALTHCHECK --interval=5s CMD ["node", "-e", "a b"]
CMD ["node", "made.txt"]
`)
  const read = (path: string) => readFile(join(image.root, path), 'utf8')
  expect(await read('srv/app/made.txt')).toBe('a node\nhello two words\n')
  expect(await read('usr/local/bin/made')).toBe('a node\nhello two words\n')
  expect(await read('srv/app/b.txt')).toBe('b')
  expect(await read('srv/app/renamed.txt')).toBe('a')
  await expect(stat(join(image.root, '../stage-0/app/left-out'))).rejects.toThrow('ENOENT')
  await expect(stat(join(image.root, '../stage-0/app/src/b.txt'))).resolves.toBeDefined()
  expect(image).toMatchObject({
    workdir: join(image.root, 'srv/app'),
    env: { A: '1', B: '12' },
    user: 'node',
    command: ['node', 'made.txt'],
    healthcheck: ['node', '-e', 'a b'],
  })
  expect(image.env).not.toHaveProperty('GREETING')
})

test('an entry point stands before the arguments, and the last CMD after it', async () => {
  const image = await build('FROM node:26\nCMD ["a"]\nENTRYPOINT ["node", "b"]\nCMD ["--help"]')
  expect(image).toMatchObject({ entrypoint: ['node', 'b'], command: ['--help'] })
  const bare = await build('FROM node:26\nCMD ["a"]\nENTRYPOINT ["node", "b"]')
  expect(bare).toMatchObject({ entrypoint: ['node', 'b'], command: [] })
})

test.each([
  ['FROM debian:12', 'Dockerfile, line 1, FROM: the base image debian:12 is not emulated'],
  [
    'FROM node:24',
    'line 1, FROM: the image has Node 24, but the development dependency is 26.10.0',
  ],
  ['FROM node:2', 'the image has Node 2, but'],
  ['FROM node:26\nADD a.txt .', 'line 2, ADD: this instruction is not emulated'],
  ['FROM node:26\nRUN --mount=type=cache,target=/x true', 'line 2, RUN: the flag --mount'],
  ['FROM node:26\nRUN <<EOF\ntrue\nEOF', 'line 2, RUN: a heredoc is not emulated'],
  ['FROM node:26\nCOPY *.txt .', 'line 2, COPY: the wildcard in *.txt is not emulated'],
  ['FROM node:26\nCOPY --from=other /a .', 'line 2, COPY: there is no stage other'],
  [
    'FROM node:26\nRUN echo why >&2; false',
    'line 2, RUN: /bin/sh -c echo why >&2; false failed: why',
  ],
  ['FROM node:26\nSTOPSIGNAL SIGINT', 'line 2, STOPSIGNAL: only SIGTERM is emulated'],
  ['WORKDIR /app\nFROM node:26', 'line 1, WORKDIR: it stands before the first FROM'],
  ['# nothing', 'The Dockerfile has no FROM.'],
])('%j ends the build with a sentence', async (dockerfile, message) => {
  await expect(build(dockerfile)).rejects.toThrow(message)
})

test.skipIf(process.getuid?.() !== 0)('commands run as a plain user, not as root', async () => {
  const image = await build('FROM node:26\nRUN id -u > uid.txt')
  expect(Number(await readFile(join(image.root, 'uid.txt'), 'utf8'))).toBeGreaterThan(0)
})
