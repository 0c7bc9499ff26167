// Vitest runs this file before each test file.

import { afterAll } from 'vitest'
import { endAll } from './at-end.ts'

afterAll(endAll)
