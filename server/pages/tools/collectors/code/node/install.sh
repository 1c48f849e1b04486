curl --fail --remote-name https://aisle.example/aisle-node.tgz
npm install ./aisle-node.tgz
