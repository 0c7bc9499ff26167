import { randomBytes } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'

/** docs.xendit.co, the channels' pages: what cannot be asked for lives this long. */
const lives: Record<string, number> = {
  qris: 48 * 60,
  gopay: 30,
  dana: 24 * 60,
  ovo: 55 / 60,
  linkaja: 30,
  shopeepay: 30,
  astrapay: 15,
}

export const contractData: ContractData = {
  credentials: () => ({ secret_key: `xnd_development_${randomBytes(24).toString('hex')}` }),

  stranger: () => ({ callback_token: 'stranger' }),
  nobody: () => ({ secret_key: 'nobody' }),

  ownLifeMinutes: channel => lives[channel],

  /** Nothing of the body: the token is all there is. */
  signed: () => ({ body: [], headers: ['x-callback-token'] }),
}
