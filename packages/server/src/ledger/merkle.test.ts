import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leafHash, merkleProof, merkleRoot, rootFromProof } from './merkle.ts'

const rootOfAll = (leaves: Buffer[]): Buffer => {
  const tree = merkleRoot()
  for (const leaf of leaves) tree.add(leaf)
  return tree.root()
}

// Test vectors from Certificate Transparency, which uses the same kind of Merkle tree (tree of hashes). Each
// element is the content of one leaf, in hexadecimal.
const known = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test.each(roots.map((root, i) => [i + 1, root] as const))(
  'the Merkle root of %i leaves is the root that RFC 9162 defines',
  (count, root) => {
    const leaves = known.slice(0, count).map(hex => Buffer.from(hex, 'hex'))
    expect(rootOfAll(leaves).toString('hex')).toBe(root)
  },
)

test('the Merkle root of an empty list is the hash of an empty string, as in RFC 9162', () => {
  expect(rootOfAll([]).toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
})

test("a leaf's Merkle proof is valid for this leaf and no other", () => {
  const leafLists = fc.uniqueArray(fc.uint8Array({ minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 70,
    selector: bytes => Buffer.from(bytes).toString('hex'),
  })
  fc.assert(
    fc.property(leafLists, fc.nat(), (list, place) => {
      const leaves = list.map(bytes => Buffer.from(bytes))
      const at = place % leaves.length
      const proof = merkleProof(leaves.map(leafHash), at)
      const root = rootOfAll(leaves)
      expect(rootFromProof(leaves[at] as Buffer, proof)).toEqual(root)
      expect(rootFromProof(leaves[(at + 1) % leaves.length] as Buffer, proof)).not.toEqual(root)
    }),
  )
})
