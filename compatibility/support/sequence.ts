// The order of the test files. Vitest starts with the largest file, but the size of a file says nothing about its
// duration, and a long file that starts last leaves the other processor idle.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in this order. */
const longest = [
  'docs/operators-pages',
  'docs/merchants-pages',
  'dashboard/pages',
  'deploy/image',
  'site/pages',
  'operating/upgrade',
  'fuzz/schemathesis',
  'clients/clients',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.findIndex(name => moduleId.endsWith(`${name}.test.ts`))
      return rank < 0 ? longest.length : rank
    }
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other))
  }
}
