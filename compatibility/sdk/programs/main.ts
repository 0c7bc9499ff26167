import type { Place } from './outcome.js'
import { payAndVerify } from './pay-and-verify.js'

const place: Place = JSON.parse(process.env.PLACE ?? '')
payAndVerify(place).then(outcome => console.log(JSON.stringify(outcome)))
