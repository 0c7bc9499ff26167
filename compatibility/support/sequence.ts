// Defines the order of the test files. Vitest would start with the largest file, but the size of a file says
// nothing about how long its tests take. If a long file started last, the other processor would be idle
// meanwhile.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files that take longest, which start in this order. */
const longest = [
  'deploy/image',
  'docs/merchants-pages',
  'fuzz/schemathesis',
  'docs/languages-pages',
  'docs/operators-page',
  'dashboard/pages',
  'site/pages',
  'sdk/typescript',
  'docs/readme',
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
