import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { TlsFiles } from '../../src/http/tls.ts'
import { atEnd } from './at-end.ts'

/**
 * Creates a self-signed certificate for 127.0.0.1, stored in files that are deleted at the end of the test file.
 */
export async function certificate(): Promise<
  TlsFiles & { cert: string; renew(days?: number): Promise<string> }
> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-certificate-'))
  atEnd(() => rm(directory, { recursive: true, force: true }))
  const files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') }
  async function renew(days = 365): Promise<string> {
    const made = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keyType: 'ec',
      notAfterDate: new Date(Date.now() + days * 86_400_000),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    })
    await writeFile(files.keyFile, made.private)
    await writeFile(files.certFile, made.cert)
    return made.cert
  }
  return { ...files, cert: await renew(), renew }
}
