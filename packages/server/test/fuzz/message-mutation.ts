// Mutates a message by changing, removing, or repeating one of its values.

import fc from 'fast-check'
import { hostileNumber, hostileText, hostileWord, unstorableText } from './hostile.ts'
import { removeAt, replaceAt } from './mutation.ts'

type Path = (string | number)[]
export type Leaf = { path: Path; value: unknown }

/** Returns every value in the message that is neither an object nor an array, with its path. */
export function leavesOf(value: unknown, path: Path = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, below]) =>
    leavesOf(below, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

export function mutationOf(message: unknown, words: string[]): fc.Arbitrary<unknown> {
  return fc.constantFrom(...leavesOf(message)).chain(({ path, value }) =>
    fc.oneof(
      { weight: 1, arbitrary: fc.constant(message) },
      { weight: 3, arbitrary: wrongFor(value, words).map(wrong => replaceAt(message, path, wrong)) },
      { weight: 1, arbitrary: fc.constant(removeAt(message, path)) },
      // Replaces the chosen value, or an object or array around it, with an invalid value.
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.nat(path.length), fc.constantFrom<unknown>(null, [], {}, 'text', 0, [message]))
          .map(([depth, wrong]) => replaceAt(message, path.slice(0, depth), wrong)),
      },
    ),
  )
}

function wrongFor(value: unknown, words: string[]): fc.Arbitrary<unknown> {
  const number = Number(value)
  const near = Number.isFinite(number)
    ? [
        number + 1,
        number - 1,
        -number,
        number * 100,
        number / 3,
        `${number}.5`,
        `${number}.005`,
        `0${number}`,
      ]
    : []
  return fc.oneof(
    fc.constantFrom<unknown>(...words, ...near, null, true, '', [value], { value }),
    hostileText,
    unstorableText,
    hostileWord,
    hostileNumber,
  )
}
