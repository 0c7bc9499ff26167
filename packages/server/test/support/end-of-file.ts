// Vitest runs this setup file before each test file. It closes the test file's resources when the
// test file ends (at-end.ts).

import { afterAll } from 'vitest'
import { endAll } from './at-end.ts'

afterAll(endAll)
