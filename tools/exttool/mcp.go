package exttool

import (
	"context"
	"io"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveMCP is a server of the Model Context Protocol (modelcontextprotocol.io). The door connects its own standard
// input and output to conn. The server's tools are the commands of the space. It ends with the connection.
func (d *desk) serveMCP(conn net.Conn, in io.Reader) {
	server := mcp.NewServer(&mcp.Implementation{Name: "lisa-bench", Version: "1"}, nil)
	for _, f := range d.space.Functions() {
		name := f.Function.Name
		tool := &mcp.Tool{Name: name, Description: f.Function.Description, InputSchema: f.Function.Parameters}
		server.AddTool(tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			said := d.call(name, string(r.Params.Arguments))
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil
		})
	}
	input := struct {
		io.Reader
		io.Closer
	}{in, conn}
	_ = server.Run(d.ctx, &mcp.IOTransport{Reader: input, Writer: conn}) // the agent may hang up at any time
}
