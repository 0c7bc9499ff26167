// Starts the test files that take longest first, because a long file that starts last would run alone at the end.
// Vitest's default, the largest file first, does not help: a file's size does not show how long its tests take.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files that take longest. They start first, in this order. */
const longest = [
  'dashboard/pages',
  'docs/languages-pages',
  'docs/merchants-pages',
  'deploy/image',
  'docs/readme',
  'fuzz/schemathesis',
  'site/pages',
  'server/packed',
  'docs/operators-page',
  'dashboard/fees',
  'dashboard/settings',
  'operating/previous-release',
  'clients/clients',
  'sdk/recipes',
  'dashboard/weight',
  'dashboard/support-tasks',
  'dashboard/second-factor',
  'dashboard/lists',
  'dashboard/windows',
  'deploy/guide',
  'sdk/typescript',
  'openapi/generators',
  'sdk/starters',
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
